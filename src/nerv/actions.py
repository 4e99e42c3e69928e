"""What an agent did and said, as its log has it: commands, reads, fetches, messages, and how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerv.location import Moment

EndingKind = Literal["answered", "no_answer", "error", "turn_limit", "timed_out", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A shell command that the agent ran."""

    moment: Moment
    text: str
    """Cut to 4,000 characters."""
    output: str = ""
    """Stdout and stderr together, the first and the last 2,000 characters of them."""
    exit_code: int | None = None
    """None: not recorded."""
    failed: bool | None = None
    """As the log says it, by exit code or error flag; None: not recorded."""
    shown: bool = True
    """False: it was sent to the background, and the log shows nothing of its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """A file that the agent read with a tool of its own."""

    moment: Moment
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """Something that the agent fetched from the network with a tool of its own; commands such as curl are commands."""

    moment: Moment
    address: str
    """A URL or a search text."""
    text: str = ""
    """What came back, cut to 8,000 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something that the agent or the user said."""

    moment: Moment
    text: str
    """Cut to 4,000 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the run ended."""

    kind: EndingKind
    moment: Moment
    text: str = ""
    """The log's own words, cut to 500 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """Everything that the agent did and said, in order; empty where the source does not record it."""

    commands: tuple[Command, ...] = ()
    """At most 2,000: the first 500 and the last 1,500."""
    reads: tuple[FileRead, ...] = ()
    """At most 2,000, one for each path: the first time."""
    fetches: tuple[Fetch, ...] = ()
    """At most 200."""
    corrections: tuple[Message, ...] = ()
    """Prompts of the user after the first that correct or stop the work; at most 200."""
    final_message: Message | None = None
    """The agent's last words to the user."""
    ending: Ending | None = None


NO_ACTIONS = Actions()
"""A source that records none."""
