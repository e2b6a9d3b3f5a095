"""How every explorer is shown: one widget each, drawn by one module of JavaScript.

`page.py` has what any widget of ours is, `page.js` and `page.css` draw it: in
comes what a reader did, out goes what the parts show, one message each way.
`explorer.py` has what any explorer is, and calls the others in turn.
`parameters.py`: the traits that a control is made of, each with its domain.
`state.py`: what a subclass fills in, and what follows from its parameters.
`display.py`: how that stands on the page. `call.py` writes the line of Python,
and `link.py` a state as an address.

Begin with `Explorer.asked`; CONTRIBUTING follows one step from there.
"""
