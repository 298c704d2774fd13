"""Conformance cases: examples of the rules as data, and the runner that plays them. The format is docs/cases.md."""
