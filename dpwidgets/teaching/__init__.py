"""What is asked, drawn, checked and kept: the cells of a lesson that are no explorer.

`base.py` has what every page here is, and on it stands `asking.py`, what all
that ask share: a prompt, help, and what is held back. Begin there, then with
`question.py` (a number or a choice). Beside it stand `code.py` (written),
`task.py` (reached by moving an explorer), and on it `recall.py`, which asks
again what `templates.py` draws anew.

What enters is what an author wrote and what a reader did; what leaves is words
on the page, and in `progress.py` how far a reader has come, kept in a file. By
themselves stand `sampling.py`, which draws noise on an explorer's picture, and
`ledger.py`, which checks what a text prints.
"""
