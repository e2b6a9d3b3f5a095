"""What every server of the hub does; the formgrader's own switches its page on again."""

c = get_config()  # noqa: F821  (Jupyter brings it)
# The formgrader is blank inside JupyterLab (nbgrader issue 1870); it has a
# service of its own.
c.ServerApp.jpserver_extensions = {
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.course_list": False,
}
# A kernel that nobody used for an hour is ended.
c.MappingKernelManager.cull_idle_timeout = 3600
c.MappingKernelManager.cull_connected = True
