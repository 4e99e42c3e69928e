"""Mistakes in solutions of the kiln, and pieces that are left out of it or of its tests."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.flawed_code import without_braces
from calibration.solutions import flawed, function, put, replaced
from calibration.task import Replacements

Flaw = Mapping[str, Replacements]
"""What is replaced, by the path of the file."""

PARSE, SCHEDULE, LIBRARY = "src/parse.rs", "src/schedule.rs", "src/lib.rs"
COURSE_TESTS, COMMENT_TESTS = "tests/course.rs", "tests/comments.rs"

_FULL_MINUTES = "return (fast + 2 * slow).div_ceil(5);"
_RATE_MINUTES = "(from.abs_diff(self.target) * 60).div_ceil(self.rate)"
_CHANGE = """            (u64::from(self.rate) * u64::from(minute) / 60) as u32
"""
_FULL_CHANGE = """            let fast = KNEE.saturating_sub(from);
            let gained = 5 * minute;
            if gained <= fast {
                gained
            } else {
                fast + (gained - fast) / 2
            }
"""
_WHOLE_CHANGE = (
    f"        let change = if self.rate == FULL {{\n{_FULL_CHANGE}        }} else {{\n{_CHANGE}        }};\n"
    "        let change = change.min(from.abs_diff(self.target));\n"
)
_OPENS = """        let end = self.minutes();
        let hot = |minute: &u32| self.temperature_at(*minute).is_some_and(|degrees| degrees > limit);
        match (0..=end).rev().find(hot) {
            Some(last) if last == end => None,
            Some(last) => Some(last + 1),
            None => Some(0),
        }
"""
_HOT = """        let hot = |minute: &u32| self.temperature_at(*minute).is_some_and(|degrees| degrees >= limit);
        (0..self.minutes()).filter(hot).count() as u32
"""

ROUNDS_BOTH_HALVES: Flaw = {SCHEDULE: ((_FULL_MINUTES, "return fast.div_ceil(5) + (2 * slow).div_ceil(5);"),)}
ROUNDS_DOWN: Flaw = {
    SCHEDULE: (
        (_FULL_MINUTES, "return (fast + 2 * slow) / 5;"),
        (_RATE_MINUTES, "from.abs_diff(self.target) * 60 / self.rate"),
    )
}
ROUNDS_TO_THE_NEAREST: Flaw = {
    SCHEDULE: (
        (_FULL_MINUTES, "return ((fast + 2 * slow) as f64 / 5.0).round() as u32;"),
        (_RATE_MINUTES, "(f64::from(from.abs_diff(self.target)) * 60.0 / f64::from(self.rate)).round() as u32"),
    )
}
COOLS_IN_NO_TIME: Flaw = {SCHEDULE: ((_RATE_MINUTES, "(self.target.saturating_sub(from) * 60).div_ceil(self.rate)"),)}
DRAWS_STRAIGHT_LINES: Flaw = {
    SCHEDULE: (
        (
            _WHOLE_CHANGE,
            (
                "        // only asked within a ramp, which has a minute at least\n"
                "        let change = from.abs_diff(self.target) * minute / self.ramp_minutes(from);\n"
            ),
        ),
    )
}
COUNTS_LINES_WITH_SEGMENTS: Flaw = {
    PARSE: (
        (
            (
                "    for (index, content) in text.lines().enumerate() {\n"
                "        let content = content.split('#').next().unwrap_or_default();\n"
                "        if content.trim().is_empty() {\n            continue;\n        }\n"
                "        let line = index + 1;\n"
            ),
            (
                "    let contents = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());\n"
                "    for (index, content) in contents.filter(|content| !content.is_empty()).enumerate() {\n"
                "        let line = index + 1;\n"
            ),
        ),
    )
}
OPENS_BEHIND_THE_PEAK: Flaw = {
    SCHEDULE: (
        (
            _OPENS,
            (
                "        let peak = self.peak();\n"
                "        let below = |minute: &u32| self.temperature_at(*minute) < Some(peak);\n"
                "        let mut minutes = (0..=self.minutes()).skip_while(below);\n"
                "        minutes.find(|minute| self.temperature_at(*minute) <= Some(limit))\n"
            ),
        ),
    )
}
COUNTS_ONLY_WHAT_IS_HOTTER: Flaw = {SCHEDULE: (("degrees >= limit", "degrees > limit"),)}
PLACEHOLDERS: Flaw = {
    SCHEDULE: (
        (_OPENS, "        (self.segments.last()?.target <= limit).then_some(self.minutes())\n"),
        (_HOT, "        let _ = limit;\n        0\n"),
        (
            """        let mut from = self.start;
        let mut left = minute;
        for segment in &self.segments {
            let ramp = segment.ramp_minutes(from);
            if left < ramp {
                return Some(segment.temperature(from, left));
            }
            if left < ramp + segment.hold {
                return Some(segment.target);
            }
            left -= ramp + segment.hold;
            from = segment.target;
        }
        (left == 0).then_some(from)
""",
            "        // TODO: follow the ramps\n        (minute <= self.minutes()).then(|| self.peak())\n",
        ),
        (
            (
                "\n    /// Returns the temperature this many minutes after the ramp began.\n"
                f"    fn temperature(&self, from: u32, minute: u32) -> u32 {{\n        "
                f"let change = if self.rate == FULL {{\n{_FULL_CHANGE}        }} else {{\n{_CHANGE}        }};\n"
                "        let change = change.min(from.abs_diff(self.target));\n"
                "        if self.target < from {\n            from - change\n        } else {\n"
                "            from + change\n        }\n    }\n"
            ),
            "",
        ),
    )
}
SCANS_COARSELY: Flaw = {
    SCHEDULE: (
        (
            _HOT,
            (
                "        let hot = |minute: &u32| self.temperature_at(*minute)"
                ".is_some_and(|degrees| degrees >= limit);\n"
                "        ((0..self.minutes()).step_by(STEP).filter(hot).count() * STEP) as u32\n"
            ),
        ),
        ("        match (0..=end).rev().find(hot) {\n", "        match (0..=end).rev().step_by(STEP).find(hot) {\n"),
        (
            "/// A ramp and the hold behind it.\n",
            (
                "/// How many minutes a scan of the firing goes at a time.\n"
                "/// The display asks often, so it need not be exact there.\n"
                "const STEP: usize = if cfg!(test) { 1 } else { 10 };\n\n/// A ramp and the hold behind it.\n"
            ),
        ),
    )
}
WITHOUT_FULL: Flaw = {
    LIBRARY: (("Segment, FULL, ROOM", "Segment, ROOM"),),
    PARSE: (
        ("Segment, FULL, ROOM", "Segment"),
        ("    /// The kiln can't cool on command.\n    FullCooling { line: usize },\n", ""),
        ("/// A rate may be `full`, and `#` begins a comment.", "/// A `#` begins a comment."),
        ("    let mut from = ROOM;\n", ""),
        (
            (
                "        let segment = segment(content, line)?;\n"
                "        if segment.rate == FULL && segment.target < from {\n"
                "            return Err(ScheduleError::FullCooling { line });\n        }\n"
                "        from = segment.target;\n        segments.push(segment);\n"
            ),
            "        segments.push(segment(content, line)?);\n",
        ),
        ('if rate == "full" { FULL } else { number(rate, line)? }', "number(rate, line)?"),
    ),
    SCHEDULE: (
        (
            (
                "/// The rate of a ramp that is as fast as the kiln can heat.\npub const FULL: u32 = u32::MAX;\n\n"
                "/// At full power the kiln gains 5 °C a minute below this temperature, "
                "and half of that from there on.\n"
                "const KNEE: u32 = 600;\n\n"
            ),
            "",
        ),
        ("    /// In °C per hour, or `FULL`.\n", "    /// In °C per hour.\n"),
        (
            (
                "        if self.rate == FULL {\n            let fast = self.target.min(KNEE).saturating_sub(from);\n"
                "            let slow = self.target.saturating_sub(from.max(KNEE));\n"
                f"            {_FULL_MINUTES}\n        }}\n"
            ),
            "",
        ),
        (
            _WHOLE_CHANGE,
            (
                "        let change = (u64::from(self.rate) * u64::from(minute) / 60) as u32;\n"
                "        let change = change.min(from.abs_diff(self.target));\n"
            ),
        ),
    ),
}
_HEAT_HEAD = "\n    /// Counts the minutes at whose beginning the kiln has `limit` or more.\n"
_OPENS_HEAD = "\n    /// Returns the first minute from which on the kiln has `limit` or less until the end.\n"
WITHOUT_QUESTIONS: Flaw = {
    SCHEDULE: (
        (f"{_HEAT_HEAD}    pub fn minutes_above(&self, limit: u32) -> u32 {{\n{_HOT}    }}\n", ""),
        (f"{_OPENS_HEAD}    pub fn opens(&self, limit: u32) -> Option<u32> {{\n{_OPENS}    }}\n", ""),
    )
}


def write_code(agent: Agent, *flaws: Flaw, by_shell: bool = False, only: tuple[str, ...] = ()) -> None:
    """Write the files of the solution with these mistakes."""
    for path in only or (LIBRARY, PARSE, SCHEDULE):
        put(agent, path, flawed(agent, path, flaws), by_shell=by_shell)


def changed_tests(agent: Agent, path: str, *changes: tuple[str, str], without: tuple[str, ...] = ()) -> str:
    """Return a file of the agent's tests with changes, and without some of its functions."""
    return replaced(without_braces(agent.task.trees["tests"][path], *without), *changes)


def one_test(agent: Agent, path: str, name: str) -> str:
    """Return one function of the agent's tests."""
    return function(agent.task.trees["tests"][path], f"#[test]\nfn {name}(")
