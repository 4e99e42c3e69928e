"""Python's part of `forgetest audit`: the functions of `toolchains.auditing.Auditing`."""

from forgetest.toolchains.python.audit.bytecode import fingerprints
from forgetest.toolchains.python.audit.impostors import impostors
from forgetest.toolchains.python.audit.inspection import inspect_tests
from forgetest.toolchains.python.audit.operators import mutations
from forgetest.toolchains.python.audit.probes import probe_case, probes, with_test
from forgetest.toolchains.python.audit.prompts import untold
from forgetest.toolchains.python.audit.regions import regions
from forgetest.toolchains.python.audit.screening import repeat, screen

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

screens_with_reference = False
