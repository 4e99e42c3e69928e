"""What a prompt is for, by its words: a change, a correction of the work under way, or steering."""

from __future__ import annotations

import re

_LOOKED_AT = 2_000
_LONGEST_STEERING = 120
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|wait|stop|hold on|hmm|wrong|undo|revert|actually|not quite|that'?s not)\b"
    r"|\b(?:do not|don'?t|never|stop)\s+(?:\w+ing|do|use|add|change|touch|edit|write|create|remove|delete|mock|skip)\b"
    r"|\b(?:you (?:forgot|missed|broke|should(?:n'?t| not)? have|deleted|removed|did not|didn'?t|keep|still|only)"
    r"|(?:that|this|it|which)(?:'s|s| is| was| are)? (?:still )?(?:wrong|broken|incorrect|not what|not right|bad)"
    r"|(?:does|do|did|is|are|was)(?:n'?t| not) (?:work|working|right|correct|what)"
    r"|still (?:fail|broken|not|get|see|the)|we (?:lost|broke)|(?:is|are) (?:gone|unhappy|missing|broken|red)"
    r"|disappeared|why (?:did|do|are|have|would) you|not what I|I (?:said|asked|told|meant|didn'?t)"
    r"|instead of|rather than|(?:revert|undo|roll back|put (?:it|that|this|them) back)\b"
    r"|try again|go back|failing|fails?\b|failed|broke)",
    re.I,
)
_CHANGES = re.compile(
    r"\b(?:add|fix|make|remove|replace|rename|implement|create|write|update|change|refactor|move|build|support|convert"
    r"|delete|drop|port|migrate|extract|split)(?:s|d|ing|ed)?\b",
    re.I,
)
_KIND_WORD = r"yes|yep|yeah|ok|okay|sure|great|good|nice|perfect|thanks|thank you|lgtm|looks good|please|now|and|then"
_STEERS = re.compile(
    rf"\W*(?:(?:{_KIND_WORD})[\s,.!]+)*(?:{_KIND_WORD}|continue|proceed|go on|go ahead|keep going|carry on|do it"
    r"|do that|retry|resume|(?:re)?run (?:it|them|that|this|the tests?|all tests?|the linter)(?: again)?"
    r"|(?:commit|push|commit and push)(?: (?:it|this|that|them|everything))?)"
    r"(?:[\s,]*(?:please|now|then|thanks))*[\s.!]*",
    re.I,
)

_THANKS = re.compile(
    r"\W*(?:(?:great|good|nice|perfect|thanks|thank you|thx|lgtm|looks good|well done|awesome|cool|(?:very|so) much"
    r"|(?:job|work))[\s,.!\u2764\U0001f44d]*)+",
    re.I,
)
_ADDED_BLOCK = re.compile(r"<(?P<name>system-reminder|ide_\w+)>.*?</(?P=name)>", re.S)
_COMMAND_NAME = re.compile(r"<command-name>/?([\w:-]+)</command-name>")
_COMMAND_ARGUMENTS = re.compile(r"<command-args>(.+?)</command-args>", re.S)
_NOT_TYPED = re.compile(
    r"\s*(?:<(?:command-|local-command|bash-|system-reminder|ide_|task-notification|teammate-message)"
    r"|Caveat: The messages below|\[Request"
    r"|This session is being continued from a previous conversation)"
)
_SETTINGS = frozenset({"compact", "model", "config", "add-dir", "resume", "rename", "memory", "permissions"})


def typed_text(text: str) -> str:
    """Return what the user typed in a message of Claude Code; empty if the program wrote all of it.

    The arguments of a command of the user's own (`/fix Add a limit`) are typed, those of a setting are not work.
    """
    name = _COMMAND_NAME.search(text[:_LOOKED_AT])
    if name is not None:
        arguments = _COMMAND_ARGUMENTS.search(text)
        asked = arguments[1].strip() if arguments is not None and name[1] not in _SETTINGS else ""
        return asked if asks_for_change(asked) else ""
    kept = _ADDED_BLOCK.sub("", text)
    return "" if _NOT_TYPED.match(kept) else kept.strip()


def is_thanks(text: str) -> bool:
    """Return whether a prompt asks for nothing at all: “Great, thanks!”."""
    return len(text) <= _LONGEST_STEERING and _THANKS.fullmatch(text) is not None


def is_correction(text: str) -> bool:
    """Return whether a later prompt corrects or stops the work that is under way."""
    return _CORRECTS.search(text[:_LOOKED_AT]) is not None


def is_steering(text: str) -> bool:
    """Return whether a prompt only keeps the work going: “Yes, go on.”, “Run the tests again”."""
    return len(text) <= _LONGEST_STEERING and _STEERS.fullmatch(text) is not None


def asks_for_change(text: str) -> bool:
    """Return whether a prompt asks for a change of something."""
    return _CHANGES.search(text[:_LOOKED_AT]) is not None
