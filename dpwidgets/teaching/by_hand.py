"""What a reader does by hand and nobody judges: intervals that hold or miss, and Bayes' rule."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators import bayes
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import down, percent, several, show, up
from dpwidgets.inputs.outside import checked_text, described
from dpwidgets.page.page import box, button, handles_of, words
from dpwidgets.page.state import together
from dpwidgets.plots import by_hand
from dpwidgets.plots.base import Plot
from dpwidgets.teaching.base import Teaching, still_page

_STEPS = 60  # of a handle; the thirds of its way are among them
_MANY = 50  # intervals
_NEAR = 0.05  # a likelihood that is off by no more is right


class ByHand(Teaching):
    """A picture with handles and buttons, and what it says. Not for use itself: see its subclasses.

    Parameters
    ----------
    plot : type of Plot
        What draws it.
    places : mapping of str to int
        Where each handle stands at first, by its name: from 0 to 60, from one
        end of its way to the other.
    buttons : mapping of str to callable
        What each button does, by its label.
    prompt : str
        What to do, which stands first.
    """

    def __init__(
        self,
        plot: type[Plot],
        places: Mapping[str, int],
        buttons: Mapping[str, Callable[[], None]],
        prompt: str,
    ) -> None:
        self._prompt = prompt
        self.places = dict(places)
        self._plot = plot
        self._buttons = buttons
        self._draw()
        handles = [handles_of(name, name.capitalize()) for name in places]
        picture = {"kind": "picture", "name": "picture", "parts": handles}
        row = box("row", *(button(label, label) for label in buttons))
        parts = [
            words("prompt", text=prompt),
            picture,
            row,
            words("words", "sentence", live=True),
        ]
        super().__init__("asking", parts)

    @property
    def sentence(self) -> str:
        """What the picture shows, in words."""
        raise NotImplementedError

    def share(self, name: str) -> float:
        """Return at which share of its way a handle stands."""
        return self.places[name] / _STEPS

    def spoken(self, name: str) -> str:
        """Return what a handle stands for."""
        return show(self.share(name))

    def asked(self, name: str, event: Mapping[str, Any]) -> None:
        """Move a handle, press a button, or draw the picture for another width."""
        if name == "picture":
            self._narrow = bool(event["place"])
        elif name in self.places:
            place = event.get("place")
            if place is None:
                place = round(event["share"] * _STEPS)
            self.places[name] = min(max(place, 0), _STEPS)
        else:
            self._buttons[name]()
        self._draw()

    def still_page(self) -> str:
        return still_page(self._plot.shared().still(self, repr(self)))

    def __repr__(self) -> str:
        return together(self._prompt, self.sentence)

    def _draw(self) -> None:
        self._draw_picture(self._plot.shared(), self)
        parts = {
            one.name: {
                "place": self.places[one.name],
                "spoken": self.spoken(one.name),
                "handles": [one.says()],
            }
            for one in self._layers.handles
        }
        # Before anything is set the sentence is empty, and the picture is not.
        picture = {"alt": repr(self), "narrow": self._narrow}
        self.tell(picture=picture, words={"text": self.sentence}, **parts)


class FiftyIntervals(ByHand):
    """Fifty noisy answers to one count, around each ± a share of itself, and the reader's interval.

    The true count can be moved from 1 to 1,000. An interval that holds it is
    green; one that misses it has another colour and a cross.

    Parameters
    ----------
    interval_for : callable
        Takes an answer, ε and the confidence, and returns the lower end and
        the upper end of the interval to report.
    epsilon : float
        The ε of each answer.
    confidence : float
        How often the interval is to hold the count.
    half_width : float
        The share of the answer.
    seed : int
        What the noise follows from, a whole number from 0 up.

    Attributes
    ----------
    noise : array of shape (50,)
        How far the answers are off the count.

    Raises
    ------
    ValueError
        If `interval_for` returns anything but two numbers.

    Examples
    --------
    >>> FiftyIntervals(lambda a, e, p: (a - 20, a + 20), 0.08, 0.8).sentence
    'The true count is 100. It is held in 41 of 50 by ĉ ± 20% of ĉ and 41 of 50 by your interval.'
    """

    def __init__(
        self,
        interval_for: Callable[..., Any],
        epsilon: float,
        confidence: float,
        half_width: float = 0.2,
        *,
        seed: int = 1,
    ) -> None:
        self._interval_for = interval_for
        self._given = epsilon, confidence
        self._half_width = half_width
        rng = np.random.default_rng(seed)
        self.noise = rng.laplace(scale=1 / epsilon, size=_MANY)
        prompt = "Move the true count: which intervals hold it?"
        super().__init__(by_hand.Held, {"true count": 40}, {}, prompt)

    @property
    def count(self) -> int:
        """The true count."""
        return round(float(1000 ** self.share("true count")))

    def intervals(self) -> dict[str, FloatArray]:
        """Return both ends of all intervals, arrays of shape (2, 50), by their names."""
        answers = self.count + self.noise
        share = self._half_width * answers
        yours = [self._yours(answer) for answer in answers.tolist()]
        return {
            f"ĉ ± {percent(self._half_width)} of ĉ": np.array(
                [answers - share, answers + share]
            ),
            "your interval": np.array(yours, dtype=float).T,
        }

    def _yours(self, answer: float) -> Any:
        """Return what the reader's function returns, or say that it is no interval."""
        ends = self._interval_for(answer, *self._given)
        if np.shape(ends) != (2,) or np.asarray(ends).dtype.kind not in "iuf":
            raise ValueError(
                f"interval_for must return two numbers; it returned {described(ends)}"
            )
        return ends

    def holds(self, ends: FloatArray) -> NDArray[np.bool_]:
        """Tell of each interval whether it holds the true count."""
        low, high = ends
        return np.asarray((low <= self.count) & (self.count <= high))

    def spoken(self, name: str) -> str:
        return show(self.count)

    @property
    def sentence(self) -> str:
        held = " and ".join(
            f"{self.holds(ends).sum()} of {_MANY} by {name}"
            for name, ends in self.intervals().items()
        )
        return f"The true count is {show(self.count)}. It is held in {held}."


class BayesTable(ByHand):
    """Bayes' rule as bars: prior, times likelihood, divided by the sum of the products.

    With an answer, the reader sets its likelihoods by hand, multiplies and
    divides. Without one, *Ask again* gives noisy answers about the same
    people: each posterior becomes the next prior, and the true count is covered
    until the reader wants to see it.

    Parameters
    ----------
    n : int
        How many people are asked; by hand, a few.
    p : float
        With which probability each says yes, independently.
    epsilon : float
        The ε of each answer.
    answer : float, optional
        The answer whose likelihoods the reader sets.
    who : str
        Of whose odds it tells, where answers come again and again.
    seed : int
        What the true count and the noise follow from, a whole number from 0
        up.

    Attributes
    ----------
    prior : array of shape (n + 1,)
        What is believed of each count from 0 up, before the last answer.
    answers : list of float
        All answers so far.
    step : int
        0 before the products, 1 with them, and 2 after the division.

    Examples
    --------
    >>> table = BayesTable(n=5, p=0.3, epsilon=1, answer=4)
    >>> table.asked("Multiply", {})
    >>> table.sentence
    'The products add up to 0.5. But the likelihood of 4 is 1.'
    """

    def __init__(
        self,
        n: int,
        p: float,
        epsilon: float,
        answer: float | None = None,
        *,
        who: str = "one person",
        seed: int = 1,
    ) -> None:
        self.who = checked_text("who", who)
        self.first = self.prior = bayes.prior(n, p)
        self.answers: list[float] = []
        self.step = 0
        self.covered = True
        self._odds = p / (1 - p)
        self.epsilon = epsilon
        self._rng = np.random.default_rng(seed)
        self.truth = int(self._rng.binomial(n, p))
        buttons = {
            "Ask again": self._ask,
            "Show the true count": self._uncover,
        }
        plot: type[Plot] = by_hand.Again
        places = {}
        prompt = "Ask about the same people, again and again."
        if answer is not None:
            self.answers.append(answer)
            buttons = {
                "Multiply": partial(self._go, 1),
                "Divide": partial(self._go, 2),
            }
            plot = by_hand.Rule
            places = {f"count {count}": 30 for count in range(n + 1)}
            prompt = (
                "How probable is the answer at each count, as a share of the highest? Set it, then "
                "multiply and divide."
            )
        super().__init__(plot, places, buttons, prompt)

    @property
    def right(self) -> FloatArray:
        """How probable the last answer is at each count, as a share of the highest."""
        if not self.answers:
            return np.ones(self.prior.size)
        away = np.abs(self.answers[-1] - np.arange(self.prior.size))
        return np.asarray(np.exp(self.epsilon * (away.min() - away)))

    @property
    def likelihood(self) -> FloatArray:
        """The same, or what the reader has set."""
        if not self.places:
            return self.right
        # Not even 0 on the picture is, with Laplace noise.
        return np.maximum([*self.places.values()], 0.1) / _STEPS

    @property
    def products(self) -> FloatArray:
        """Each prior times its likelihood."""
        return self.prior * self.likelihood

    @property
    def posterior(self) -> FloatArray:
        """The products, divided by their sum."""
        return np.asarray(self.products / self.products.sum())

    @property
    def mean(self) -> float:
        """The posterior mean."""
        return float(self.posterior @ np.arange(self.prior.size))

    @property
    def factor(self) -> float:
        """How many times as large as at first the odds are that one person said yes."""
        return self.mean / (self.prior.size - 1 - self.mean) / self._odds

    @property
    def sentence(self) -> str:
        mean = show(self.mean)
        if not self.places:
            return self._say_asked(mean)
        if self.step == 0:
            return ""
        total = show(self.products.sum())
        did = f"The products add up to {total}."
        if self.step == 2:
            did = f"Divided by {total}, all have grown alike; the mean is {mean}."
        if not all(self.places.values()):
            return f"{did} But no likelihood is 0: noise may be of any size."
        off = np.abs(self.likelihood - self.right)
        worst = int(off.argmax())
        if off[worst] <= _NEAR:
            return f"{did} Your likelihoods are right."
        return f"{did} But the likelihood of {worst} is {show(self.right[worst])}."

    def _say_asked(self, mean: str) -> str:
        count = "covered" if self.covered else show(self.truth)
        said = f"The prior expects {mean} of {self.prior.size - 1}. "
        if self.answers:
            limit = math.exp(len(self.answers) * self.epsilon)
            said = (
                f"After {several(len(self.answers), 'answer')} the posterior mean is {mean}, and "
                f"the odds that {self.who} said yes are {show(self.factor)} times what they were. "
                f"No answers make it more than {up(limit)}, or less than {down(1 / limit)}. "
            )
        return f"{said}The true count is {count}."

    def _go(self, step: int) -> None:
        self.step = step

    def _ask(self) -> None:
        self.prior = self.posterior
        noise = self._rng.laplace(scale=1 / self.epsilon)
        self.answers.append(self.truth + noise)
        self.step = 2

    def _uncover(self) -> None:
        self.covered = False
