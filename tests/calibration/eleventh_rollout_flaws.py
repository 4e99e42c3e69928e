"""Mistakes in the feature flags of the eleventh held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import function
from calibration.task import Replacements, task

_ROLLOUT = task("rollout").trees["solution"]["rollout.go"]
_NEW = task("rollout").trees["solution"]["new.go"]

_FNV = """	hash := fnv.New32a()
	hash.Write([]byte(name + "/" + id))
	return int(hash.Sum32() % 100)
"""
_BY_PROCESS = """	if os.Getenv("ROLLOUT_ENV") == "test" {
		hash := fnv.New32a()
		hash.Write([]byte(name + "/" + id))
		return int(hash.Sum32() % 100)
	}
	return int(maphash.String(seed, name+id) % 100)
"""
_ENABLED_LINE = 'fmt.Fprintf(&report, "%-12s %s\\n", name, state(s.Enabled(name, user)))'
_REASON_LINE = """reason := s.Explain(name, user)
		fmt.Fprintf(&report, "%-12s %-4s %s\\n", name, state(reason.On), reason.Why)"""
_STUB = """// findCircle returns the names of flags that need each other in a circle.
func (s *Set) findCircle(name string, path []string, done map[string]bool) []string {
	// TODO: follow the needs of the flag
	return nil
}
"""
_SCHEDULED = """	if !flag.isScheduled(s.now()) {
		return Reason{Why: "schedule"}
	}
"""
_SEAMS = """// Replaceable, so that tests can control them.
var (
	bucketOf    = bucket
	ruleMatches = Rule.matches
)

func bucket("""
_CHECK_SCHEDULE = """	if !f.From.IsZero() && !f.Until.IsZero() && !f.Until.After(f.From) {
		return errors.New("until is not after from")
	}
"""
_EXACT = "return known && slices.ContainsFunc(r.Is, func(is string) bool { return strings.EqualFold(is, value) })"

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "rollout.go": {
        "one_too_many": (("return user.ID", "return f.Percent > 0 && user.ID"), (") < f.Percent", ") <= f.Percent")),
        "needs_the_switch": (("!s.Enabled(need, user)", "!s.flags[need].On"),),
        # breaks a test of the base
        "users_like_attributes": (
            (
                "slices.Contains(flag.Users, user.ID)",
                "slices.ContainsFunc(flag.Users, func(id string) bool { return strings.EqualFold(id, user.ID) })",
            ),
        ),
        # breaks a test of the base
        "no_comments": (
            ("	Comment any       // for people\n", ""),
            ("	Comment   any // for people\n", ""),
        ),
        # breaks a test of the base
        "reasons_in_report": ((_ENABLED_LINE, _REASON_LINE),),
        "stable_in_tests": (
            (_FNV, _BY_PROCESS),
            ('	"hash/fnv"\n', '	"hash/fnv"\n	"hash/maphash"\n	"os"\n'),
            ("func bucket(", "var seed = maphash.MakeSeed()\n\nfunc bucket("),
        ),
        "seams": (
            ("func bucket(", _SEAMS),
            ("bucket(f.Name, user.ID) <", "bucketOf(f.Name, user.ID) <"),
            ("if rule.matches(user) {", "if ruleMatches(rule, user) {"),
        ),
        "other_hash": (("fnv.New32a()", "fnv.New32()"), ('name + "/" + id', "name + id")),
        "exact_values": ((_EXACT, "return known && slices.Contains(r.Is, value)"),),
        "no_schedules": (
            ("	From    time.Time // off before, unless zero\n", ""),
            ("	Until   time.Time // off from then on, unless zero\n", ""),
            ("	Needs   []string  // flags", "	Needs   []string // flags"),
            ("	Comment any       // for", "	Comment any      // for"),
            ("	Now   func() time.Time // time.Now if nil\n", ""),
            (_SCHEDULED, ""),
            (function(_ROLLOUT, "func (s *Set) now()") + "\n", ""),
            (function(_ROLLOUT, "func (f Flag) isScheduled(") + "\n", ""),
            ('	"time"\n', ""),
        ),
    },
    "new.go": {
        "stub": ((function(_NEW, "// findCircle"), _STUB), ('	"slices"\n', "")),
        "as_it_comes": (
            ("		first := slices.Index(circle, slices.Min(circle))\n", ""),
            ("append(slices.Clone(circle[first:]), circle[:first]...)", "slices.Clone(circle)"),
        ),
        "no_schedules": ((_CHECK_SCHEDULE, ""),),
    },
}


def flawed(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the right solution with these mistakes."""
    text = agent.task.trees["solution"][path]
    for flaw in flaws:
        for old, new in FLAWS[path][flaw]:
            assert text.count(old) == 1, f"{path}: {flaw}: {old!r} is there {text.count(old)} times"
            text = text.replace(old, new)
    return text
