"""What ipywidgets asks of IPython where there is none."""

version_info = (0, 0)


def get_ipython() -> None:
    """Say that no shell runs."""
