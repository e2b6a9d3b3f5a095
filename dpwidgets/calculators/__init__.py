"""Numbers in, numbers out: what each text computes, without a widget or a picture.

A text's word is its room: `loss`, `interval`, `bayes`, `worlds` and `breach`. `meanings` brings
them together for a `case`, `choice` turns goals into an ε. `noise` and `candidates` are
pieces that several of them use.

Every module here needs numpy and, where it must, scipy.special, and nothing else: `import
dpwidgets.calculators` stays quick in a script.
"""

from dpwidgets.calculators import (
    bayes as bayes,
    breach as breach,
    case as case,
    choice as choice,
    interval as interval,
    loss as loss,
    meanings as meanings,
    noise as noise,
    worlds as worlds,
)
