"""What comes in is checked here, once: numbers, columns of data, text from outside.

In comes what a reader types, uploads or passes from Python. Out comes what the
floors above may take for granted: floats within a `Domain`, the records of a
column, text that a page can hold. What is not understood is refused, by an
error that names the argument, what it was and what is allowed.

Begin with `domain`, and with `door`, which puts domains before a function.
`number` says what counts as one, `typed` reads one as people write it, `column`
a list or a data frame; `outside` checks text and JSON, and `notation` writes
numbers for people.
"""
