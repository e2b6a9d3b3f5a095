"""Pictures of what the calculators compute: matplotlib figures of their own, never pyplot's."""
