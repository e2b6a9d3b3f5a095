"""How everything that a reader sees is shown: one widget each, and one front end for all."""
