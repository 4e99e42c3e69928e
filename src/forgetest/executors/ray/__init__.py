"""Judging by a Ray cluster: a worker on each node, the journal and the verdict cache with the driver.

Groups of samples go out as pickled values, and results come back the same way. A worker that dies is replaced, and what
it was judging is judged again; see `pool`. Needs the extra `ray`. See docs/cluster.md.
"""
