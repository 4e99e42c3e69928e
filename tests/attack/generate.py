"""Combines tricks into samples, by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from attack.disguises import DISGUISES, disguise
from attack.intruders import FUNCTIONS, write_intruder
from attack.liars import TARGETS, write_liar
from attack.lies import GUESSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A generated sample that must not be judged correct."""

    case: str
    """The name of a case of the hostile corpus."""
    tricks: tuple[str, ...]
    """What it combines, for a table and for the name of its file."""
    code: str

    @property
    def guesses(self) -> bool:
        """True if luck decides whether it is believed; see docs/security.md, What is left."""
        return not GUESSES.isdisjoint(self.tricks)

    def as_sample(self) -> str:
        """The sample as a file of the corpus, whose header tells how it was made."""
        kind = "types" if self.case in TARGETS else "soundness"
        header = f"//! attempts: {'; '.join(self.tricks)} (generated)\n//! must: not correct\n//! class: {kind}\n"
        first, newline, rest = self.code.partition("\n")
        if first.removeprefix("\ufeff").startswith("#!") and not first.startswith("#!["):
            return f"{first}{newline}{header}{rest}"
        mark = "\ufeff" if self.code.startswith("\ufeff") else ""
        return f"{mark}{header}{self.code.removeprefix(mark)}"


def attacks(seed: int, count: int) -> list[Attack]:
    """Return that many different attacks; the same ones for the same seed."""
    return list(islice(_distinct(random.Random(seed)), count))


def _distinct(random_: random.Random) -> Iterator[Attack]:
    known: set[tuple[str, tuple[str, ...]]] = set()
    while True:
        made = _attack(random_)
        if (made.case, made.tricks) not in known:
            known.add((made.case, made.tricks))
            yield made


def _attack(random_: random.Random) -> Attack:
    case = random_.choice(sorted({*TARGETS, *FUNCTIONS}))
    if case in TARGETS:
        names = sorted(TARGETS[case].observations)
        lies = random_.sample(names, random_.randint(1, len(names)))
        code, tricks = write_liar(TARGETS[case], lies, random_)
    else:
        code, tricks = write_intruder(case, random_)
    kind = random_.choice(DISGUISES)
    return Attack(case=case, tricks=(*tricks, kind), code=disguise(code, kind, random_))
