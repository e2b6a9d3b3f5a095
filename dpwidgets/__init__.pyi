"""The public names, each with its home: type checkers read this, and `dpwidgets` itself."""

__version__: str

from dpwidgets.explorers.attack import AttackExplorer as AttackExplorer
from dpwidgets.explorers.bayes import BayesExplorer as BayesExplorer
from dpwidgets.explorers.breach import BreachExplorer as BreachExplorer
from dpwidgets.explorers.choice import ChoiceExplorer as ChoiceExplorer
from dpwidgets.explorers.interval import IntervalExplorer as IntervalExplorer
from dpwidgets.explorers.loss import LossExplorer as LossExplorer
from dpwidgets.explorers.meanings import MeaningsExplorer as MeaningsExplorer
from dpwidgets.explorers.plan import PlanExplorer as PlanExplorer
from dpwidgets.explorers.worlds import WorldsExplorer as WorldsExplorer
from dpwidgets.teaching.code import Code as Code
from dpwidgets.teaching.hearing import Hearing as Hearing
from dpwidgets.teaching.ledger import (
    Erratum as Erratum,
    Ledger as Ledger,
)
from dpwidgets.teaching.progress import Progress as Progress
from dpwidgets.teaching.question import Question as Question
from dpwidgets.teaching.recall import Review as Review
from dpwidgets.teaching.sampling import Draws as Draws
from dpwidgets.teaching.task import Task as Task
