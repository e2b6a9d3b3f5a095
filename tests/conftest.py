"""No example of a property test fails for being slow: the machine may be busy, and a first call may import much."""

from hypothesis import settings

settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")
