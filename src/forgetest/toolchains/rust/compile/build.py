"""A sample and the trusted tests → one crate, and the compiler call that makes an object of it.

Laid out so that a diagnostic's file and line say whose text it is about: the sample is the crate's root, from
its first line on; below it stands one declaration of ours, of a module in a file of its own that brings names
in and pins signatures; the case's tests are a third file, in their author's own lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import diagnostics
from forgetest.toolchains.rust.compile.diagnostics import Files, Remark
from forgetest.toolchains.rust.compile.signatures import Expected
from forgetest.toolchains.rust.compile.testfile import HOLE, ROOT, ExpectedTest, TestFile
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.tools import Tools
from forgetest.verdict import Execution, Limits, Mount, Step

FLAGS = (
    "--sysroot=/tc",
    "--crate-type=cdylib",
    "--crate-name=sample",
    "--error-format=json",
    "--check-cfg=cfg(docsrs,test)",
    "--check-cfg=cfg(feature, values())",
    "-Copt-level=0",
    "-Cdebuginfo=0",
    "-Cprefer-dynamic",
)
# forced, so that no attribute of the sample silences a lint, nor makes one an error
LINTS = ("--force-warn=clippy::all", "--force-warn=unsafe_code")
ENVIRONMENT = {"LD_LIBRARY_PATH": "/lib", "TMPDIR": "/w"}

_LEAST_CPU_S = 4.0
"""A case may want its tests to be quick; its compiler takes what it takes."""
OBJECT = "sample.so"
_MACHINE = re.compile(
    r"^(could not write output|couldn't create a temp dir|(failed|unable|error) (to |when |while )?(creat|writ|copy))"
    r"|^[^`]*\((os error) (5|12|23|24|28|122)\)$|^linking with `[^`]*` failed: signal: 9\b"
)
"""Errors without a place that say nothing about a sample: nowhere in them may a word of the sample stand."""
FIRST_PIN = 4
"""The line of the first pinned signature in the module of ours."""
# on our own module, whatever levels the sample sets for its crate
_QUIET = "#[allow(warnings, unused, missing_docs, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """How this build differs from the plain one."""

    further_names: frozenset[str] = frozenset()
    """Names that the tests take from the sample, hidden from preparation behind a glob import of the tests' own."""
    without_names: frozenset[str] = frozenset()
    """Names that the sample turned out not to define."""
    imports: tuple[str, ...] = ()
    """Traits and macros that the compiler asked for: what a test file takes from its sample's own imports."""
    without_pins: frozenset[int] = frozenset()
    """Signatures that the sample turned out not to have."""
    cfg_test: bool = False
    tests: bool = True
    """False: the sample alone, to learn whether it compiles by itself."""
    plain_rustc: bool = False
    """By rustc, which adds run-time checks to unsafe code that clippy-driver leaves out."""
    capped: bool = False
    """No lint is an error, for samples that forbid what our own module needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that is known of a case before there is a sample."""

    tools: Tools
    crates: Crates
    runtime: str
    """The folder kept with the launcher and the carrier in it."""
    test_file: TestFile
    functions: tuple[Expected, ...]
    types: tuple[Expected, ...]
    names: tuple[str, ...] = ()
    """What the tests take from the sample."""

    @property
    def pins(self) -> tuple[Expected, ...]:
        """The signatures for the compiler to check."""
        return tuple(item for item in self.functions if item.pin)

    @property
    def tests(self) -> tuple[ExpectedTest, ...]:
        """The expected tests."""
        return self.test_file.tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build gave."""

    remarks: tuple[Remark, ...]
    object: bytes | None
    object_hash: str | None = None
    failure: str | None
    """Why there is no object, where the remarks do not say it."""
    stopped: bool = False
    """The compiler was stopped, by a limit or a crash of its own: what it would have said is not known."""

    @property
    def errors(self) -> tuple[Remark, ...]:
        """What stopped it."""
        return tuple(remark for remark in self.remarks if remark.is_error)


def secret(code: str, recipe: Recipe) -> str:
    """The name that the sample cannot know: it would have to contain a hash of itself.

    A hash, not a random number, so that the same sample always gives the same object.
    """
    text = f"{len(code)} {code}{recipe.test_file.body}"
    return "f" + hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]


def step(case: Case, code: str, recipe: Recipe, variant: Variant, *, name: str = "build") -> Step:
    """The compiler call for this sample."""
    hidden = secret(code, recipe)
    root, files = written(case, code, recipe, variant) if variant.tests else (code, {})
    flags = (*own_flags(hidden, diagnostics.ALONE), *recipe.crates.arguments(hidden))
    cpu_s = max(case.timeout_secs, _LEAST_CPU_S)
    return Step(
        name=name,
        argv=(*call(recipe, edition(case), variant), *flags, "-"),
        stdin=root.encode(errors="replace"),
        files=files,
        outputs=(OBJECT,) if variant.tests else (),
        env=ENVIRONMENT,
        mounts=mounts(recipe),
        limits=Limits(cpu_s=cpu_s, wall_s=10 * cpu_s + 30),
    )


def call(recipe: Recipe, in_edition: str, variant: Variant) -> tuple[str, ...]:
    """The compiler, and all of its arguments that do not depend on the sample."""
    # clippy-driver sets `cfg(clippy)`: what is linted and what is run must be the same code
    driver = ("/tc/bin/rustc", "--cfg=clippy") if variant.plain_rustc else ("/tc/bin/clippy-driver", *LINTS)
    return (
        *driver,
        *FLAGS,
        *recipe.tools.linker_arguments,
        f"--edition={in_edition}",
        *(("--cap-lints=allow",) if variant.capped else ()),
        *(("--cfg=test", "-Aexplicit_builtin_cfgs_in_flags") if variant.cfg_test else ()),
        *((f"-o/w/{OBJECT}",) if variant.tests else ("--emit=metadata", "-o/w/sample.rmeta")),
    )


def own_flags(hidden: str, files: Files) -> tuple[str, ...]:
    """What the call needs for the files and the hidden name of one sample."""
    return (
        f"--remap-path-prefix=/w/{hidden}_glue.rs={files.glue}",
        f"--remap-path-prefix=/w/{hidden}_tests.rs={files.tests}",
        f"--extern={hidden}=/rt/libcarrier.so",
    )


def mounts(recipe: Recipe) -> tuple[Mount, ...]:
    """What a compiler call sees."""
    return (*recipe.tools.mounts, Mount(source=recipe.runtime, target="/rt"), *recipe.crates.mounts)


def written(
    case: Case, code: str, recipe: Recipe, variant: Variant, place: str = "crate"
) -> tuple[str, dict[str, bytes]]:
    """The sample with our declaration below it, and our files. `place`: the path of the module that the sample is."""
    hidden = secret(code, recipe)
    glue, tests = (
        text.replace(HOLE, hidden).replace(ROOT, place).encode(errors="replace")
        for text in _modules(case, recipe, variant)
    )
    declaration = f'{"" if variant.capped else _QUIET} #[path = "/w/{hidden}_glue.rs"] mod {hidden}_tests;\n'
    # the empty const takes the place of whatever an attribute or doc comment at the sample's end would apply to
    root = f"{code}\nconst _: () = ();\n{declaration}"
    return root, {f"{hidden}_glue.rs": glue, f"{hidden}_tests.rs": tests}


def read(code: str, execution: Execution) -> Built:
    """What a compiler call said and made."""
    remarks = diagnostics.read(execution.stderr, sample_lines=code.count("\n") + 1, first_pin=FIRST_PIN)
    for remark in remarks:
        if remark.is_error and remark.line == 0 and _MACHINE.search(remark.diagnostic.message):
            raise MachineryError(f"the compiler could not work: {remark.diagnostic.message}")
    failure = None
    if not execution.succeeded and not any(remark.is_error for remark in remarks):
        failure = _explain(execution)
    made = execution.outputs.get(OBJECT) if execution.succeeded else None
    stopped = execution.ended != "exited"
    return Built(remarks=remarks, object=made, object_hash=object_hash(made), failure=failure, stopped=stopped)


def object_hash(made: bytes | None) -> str | None:
    """What an object is known by."""
    return hashlib.sha256(made).hexdigest() if made is not None else None


def _explain(execution: Execution) -> str:
    match execution.ended:
        case "cpu_limit":
            return "the compiler used up its CPU time"
        case "wall_limit":
            return "the compiler did not end in time"
        case "memory_limit":
            return "the compiler used up its memory"
        case "output_limit":
            return "the compiler printed more than is read"
    lines = [line.strip() for line in execution.stderr.decode(errors="replace").splitlines()]
    told = [line for line in lines if line and not line.startswith("{")]
    return f"the compiler ended with {execution.exit_code}: {told[0] if told else 'no reason given'}"


def entry(hidden: str) -> str:
    """The one symbol that the object exports."""
    return f"{hidden}_entry"


def _modules(case: Case, recipe: Recipe, variant: Variant) -> tuple[str, str]:
    """The module of ours (lines 1 and 2 bring names in, then a signature a line), and the tests' own."""
    pins = ["" if index in variant.without_pins else item.pin for index, item in enumerate(recipe.pins)]
    shims = {item.name: index for index, item in enumerate(recipe.pins) if item.shimmed and pins[index]}
    names = sorted({*recipe.names, *variant.further_names} - variant.without_names)
    plain = ", ".join(name for name in names if name not in shims)
    taken = f"pub(in super::super) use super::super::{{{plain}}};" if plain else ""
    taken += "".join(
        f" pub(in super::super) use {HOLE}_pins::pin_{shims[name]}::{name};" for name in names if name in shims
    )
    wanted = "".join(f"use {path}; " for path in variant.imports)
    prelude = f"use ::{HOLE}::std::prelude::rust_{edition(case)}::*;"
    lines = [
        f"pub(super) mod pin_{index} {{ {prelude} use super::super::*; {pin} }}\n" for index, pin in enumerate(pins)
    ]
    glue = (
        f"pub(crate) mod {HOLE}_names {{ {taken}\n"
        f"{wanted}\n"
        f"mod {HOLE}_pins {{\n"
        f"{''.join(lines)}"
        f'}} #[path = "/w/{HOLE}_tests.rs"] pub(crate) mod {HOLE}_file; }}\n'
        # a `main` of the sample's own is not dead code; where there is none, ours is meant
        f"mod {HOLE}_main {{ fn main() {{}} pub fn used() {{ use super::super::*; let _ = main; }} }}\n"
        f"#[unsafe(no_mangle)] pub fn {entry(HOLE)}(index: usize) -> bool {{ match index {{\n"
        f"{''.join(_arms(recipe.tests))} _ => {{ {HOLE}_main::used(); false }} }} }}\n"
    )
    return glue, f"{recipe.test_file.body}\n{prelude} use super::*;\n"


def _arms(tests: Iterable[ExpectedTest]) -> Iterable[str]:
    for index, test in enumerate(tests):
        call = f"{HOLE}_names::{HOLE}_file::{test.name}()"
        if test.runtime:
            call = f"::{HOLE}_tokio::runtime::Builder::{test.runtime}.build().unwrap().block_on({call})"
        if test.returns:
            report = f"::{HOLE}::std::process::Termination::report({call})"
            yield f"{index} => {report} == ::{HOLE}::std::process::ExitCode::SUCCESS,\n"
        else:
            yield f"{index} => {{ {call}; true }}\n"
