"""What is asked, drawn, checked and kept: the cells of a lesson that are no explorer.

`held.py` has what all of them are, and `asking.py` what all that ask are: a
prompt, help, and what is held back. Begin there, then with `question.py`. On
these stand `task.py` (reached by moving an explorer), `sketch.py` (drawn), and
`spot.py` (a wrong line, of `mistakes.py`); `recall.py` asks again what
`templates.py` draws anew.

What enters is what an author wrote and what a reader did; what leaves is words
on the page, and in `progress.py` how far a reader has come: a file, written by
`disk.py`, of which a class sees what `sharing.py` says. `sampling.py` draws
noise on an explorer's picture, and `ledger.py` checks what a text prints.
"""
