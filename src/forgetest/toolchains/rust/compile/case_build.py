"""Values that describe a build: what is known of the case, and how one build differs from the plain one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from forgetest.toolchains.controls import NO_SECRET, JudgeSecret
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.testfile import TestFile
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.source.lexer import tokens
from forgetest.toolchains.rust.tools import Tools


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseBuild:
    """Everything that is known of a case before there is a sample."""

    tools: Tools
    crates: Crates
    runtime: str
    """The kept folder that holds the launcher and the carrier library."""
    test_file: TestFile
    plain_test_file: TestFile | None = None
    """The same tests and sites, with two values each, which take the compiler less time: for samples that are not asked
    every value."""
    functions: tuple[ExpectedItem, ...]
    types: tuple[ExpectedItem, ...]
    names: tuple[str, ...] = ()
    """The names that the tests take from the sample."""
    judge_secret: JudgeSecret = NO_SECRET
    """Everything that a sample must not be able to guess about its runs is drawn from it."""
    derived: tuple[ExpectedItem, ...] = ()
    """Signatures of the reference solution that the case does not state; a sample may differ from them."""
    unchecked: bool = False
    """Signatures and sites are read off the texts, and the reference solution has not been built with them. See
    `reference_check`."""

    @property
    def with_pairs(self) -> CaseBuild:
        """The same for a sample that is not asked every value."""
        return self if self.plain_test_file is None else replace(self, test_file=self.plain_test_file)

    @property
    def checked_signatures(self) -> tuple[ExpectedItem, ...]:
        """The signatures that the compiler checks."""
        return tuple(item for item in self.functions if item.signature_check)

    @property
    def checked_types(self) -> tuple[ExpectedItem, ...]:
        """The types that the compiler checks: those that the tests take from the sample's root."""
        return tuple(item for item in self.types if item.name in self.names)

    @property
    def checked_items(self) -> tuple[ExpectedItem, ...]:
        """Everything that has a line of its own in the glue, in this order."""
        return (*self.checked_signatures, *self.checked_types, *self.derived)

    @property
    def tests(self) -> tuple[ExpectedTest, ...]:
        """The expected tests."""
        return self.test_file.tests

    @property
    def mentioned_names(self) -> set[str]:
        """The names in our own text that could be the sample's."""
        texts = [self.test_file.body, *(item.signature_check or "" for item in self.checked_signatures)]
        names = {token.text for text in texts for token in tokens(text) if token.is_name}
        return names - {"super", "self", "crate", "Self"}

    def secret_name(self, code: str) -> str:
        """Return a name that the sample cannot know: it would have to contain a hash of itself.

        A hash, not a random number, so that the same sample always gives the same object.
        """
        text = f"{len(code)} {code}{self.test_file.body}"
        return "f" + hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The differences between a build and the plain one."""

    further_names: frozenset[str] = frozenset()
    """Names the tests take from the sample that preparation did not see, because the tests have a glob import."""
    without_names: frozenset[str] = frozenset()
    """Names that the sample turned out not to define."""
    imports: tuple[str, ...] = ()
    """Traits and macros that the compiler asked for: test files may rely on their sample's own imports."""
    without_signatures: frozenset[int] = frozenset()
    """Indices of checked items that the sample turned out not to have, or that need no further check."""
    cfg_test: bool = False
    tests: bool = True
    """False: the sample alone, to learn whether it compiles without our text."""
    linked: bool = True
    """False: only check it, and make no object."""
    plain_rustc: bool = False
    """Use rustc, which adds run-time checks to unsafe code that clippy-driver leaves out."""
    capped: bool = False
    """No lint is an error: for samples that forbid what our own module needs."""
