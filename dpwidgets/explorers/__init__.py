"""The explorers: under each text's word its calculator, its pictures and its sentences.

What enters are values of parameters, from controls or as keywords; what leaves
is on the page, and in the attributes `result`, `sentence` and `code`. What is
computed is computed below: a file binds a function of `calculators` or
`decisions` to classes of `plots`.

Begin with `interval.py`, which is one text and nothing else. `words.py` has
sentences that several say. Explorers of a case stand on each other: `case.py`
has its controls, `before.py` the one of what came before, `recorded.py` a desk
for records; `choice.py`, `plan.py` and `meanings.py` put them together.
"""
