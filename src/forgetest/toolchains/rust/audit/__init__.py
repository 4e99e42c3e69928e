"""Rust's part of `forgetest audit`: the functions of `toolchains.auditing.Auditing`."""

from forgetest.toolchains.rust.audit.compiled import fingerprints
from forgetest.toolchains.rust.audit.impostors import impostors
from forgetest.toolchains.rust.audit.inspection import inspect_tests
from forgetest.toolchains.rust.audit.operators import mutations
from forgetest.toolchains.rust.audit.probes import probe_case, probes, with_test
from forgetest.toolchains.rust.audit.prompts import untold
from forgetest.toolchains.rust.audit.regions import regions
from forgetest.toolchains.rust.audit.schemata import repeat, screen

__all__ = [
    "fingerprints",
    "impostors",
    "inspect_tests",
    "mutations",
    "probe_case",
    "probes",
    "regions",
    "repeat",
    "screen",
    "screens_with_reference",
    "untold",
    "with_test",
]

screens_with_reference = True
