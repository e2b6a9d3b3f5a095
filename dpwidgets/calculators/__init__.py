"""Numbers in, numbers out: what each text computes, without a widget or a picture.

A text's word is its room: `loss`, `interval`, `bayes`, `worlds` and `breach`;
`attack` plays against what is published. `noise`, `candidates` and `solve`,
which finds roots, are pieces that several of them use. What goes in are
numbers and arrays, each checked at its door (`inputs.door`), which raises a
`TypeError` or a `ValueError` that names the argument; what comes out are
numbers, or frozen results whose properties are numbers. Begin with `interval`:
one text, one file.

Every module here needs numpy and, where it must, scipy, and nothing else:
`import dpwidgets.calculators` stays quick in a script.
"""

from dpwidgets.calculators import (
    attack as attack,
    bayes as bayes,
    breach as breach,
    candidates as candidates,
    interval as interval,
    loss as loss,
    noise as noise,
    solve as solve,
    worlds as worlds,
)
