"""The explorer of goals and of the ε that meets them."""

from dpwidgets.explorers.choice._deciding import ChoiceExplorer as ChoiceExplorer
