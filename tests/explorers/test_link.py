"""A link brings a state back, and what anybody else writes into one gets a message."""

import pytest

from dpwidgets import (
    BayesExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
    WorldsExplorer,
)


def test_what_differs_from_the_start_is_in_the_link_in_plain_words():
    for explorer, link in [
        (IntervalExplorer(), "#interval"),
        (
            IntervalExplorer(half_width=0.1, count=500),
            "#interval?half_width=0.1&count=500",
        ),
        (
            IntervalExplorer(epsilon=0.5),
            "#interval?solve_for=confidence&epsilon=0.5",
        ),
        (
            LossExplorer(swapped=True, view="delta"),
            "#loss?swapped=True&view=delta",
        ),
        # Set, though to what it follows.
        (BayesExplorer(true_p=0.3), "#bayes?true_p=0.3"),
        # Left open, though it starts with a number.
        (ChoiceExplorer(prior=None), "#choice?prior="),
        (
            WorldsExplorer(values={"A & b": 1, "#": 2.5, "c": 3}),
            "#worlds?values=A%20%26%20b:%201;%20%23:%202.5;%20c:%203",
        ),
    ]:
        assert explorer.link() == link
        for address in (
            link,
            link[1:],
            f"https://example.org/explorers/a.html?b=1{link}",
        ):
            assert (
                type(explorer).from_link(address).settings()
                == explorer.settings()
            )


def test_a_picture_in_a_notebook_says_which_state_it_shows_where_a_link_can():
    # It follows again.
    assert BayesExplorer.from_link("#bayes?p=0.4&true_p=").true_p == 0.4
    _, metadata = IntervalExplorer(count=500)._repr_mimebundle_()
    assert metadata["dpwidgets"] == {"link": "#interval?count=500", "only": []}
    explorer = WorldsExplorer(values=range(51))
    with pytest.raises(ValueError, match="values must be at most 50 numbers"):
        explorer.link()
    data, metadata = explorer._repr_mimebundle_()
    assert "image/png" in data
    assert "dpwidgets" not in metadata


def test_what_anybody_else_writes_into_a_link_gets_a_message():
    for link, message in {
        "#bayes?p=0.4": "link must begin with #interval; got “#bayes[?]p=0.4”",
        "#interval?halfwidth=1": "no parameter 'halfwidth'; did you mean 'half_width'",
        "#interval?count=abc": "count: “abc” is not a number",
        "#interval?view=nowhere": "view must be one of 'answer', .*; got 'nowhere'",
        "#interval?count=1&count=2": "each name once; got 'count' twice",
        "#interval?count": "link must be like #interval[?]count=500",
        # No letter.
        "#interval?view=%FF": "link must be like #interval[?]count=500",
        "#interval?solve_for=Epsilon": "solve_for must be one of 'epsilon', ",
        "#interval?count="
        + "1" * 10_000: "link must have at most 10,000 characters",
    }.items():
        with pytest.raises((TypeError, ValueError), match=message):
            IntervalExplorer.from_link(link)
