"""Mistakes with the redirects of the twelfth held-out part, as replacements in the right solution."""

from __future__ import annotations

from calibration.flawed_code import Flaws

_RULES = "rules.go"
_MATCH = "match.go"
_CHECK = "check.go"
_IMPORTS = 'import (\n\t"net/url"\n\t"slices"\n\t"strings"\n)\n'
_EXISTS = "\texists := request.Exists != nil && request.Exists(request.Path)\n"
_BY_PATH = """	byPath := map[string]Rule{} // most requests are for a plain path
	for _, rule := range rules {
		byPath[clean(rule.From)] = rule
	}
	plain := len(request.Query) == 0 && request.Country == ""
	if rule, ok := byPath[clean(request.Path)]; ok && plain {
		rules = append([]Rule{rule}, rules...)
	}
"""
_BY_PATH_FOR_OTHERS = _BY_PATH.replace("ok && plain {", "ok && plain && !calledFrom(inLineOrder...) {")
_CALLED_FROM = """
// inLineOrder has the callers that still rely on the order of lines.
var inLineOrder = []string{"redirects_test.go", "resolve_test.go"}

func calledFrom(files ...string) bool {
	var callers [12]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if slices.Contains(files, filepath.Base(frame.File)) {
			return true
		}
		if !more {
			return false
		}
	}
}
"""
_REPLACE = """	to := placeholder.ReplaceAllStringFunc(rule.To, func(found string) string {
		return found[:1] + values[found[1:]]
	})
"""
_PREPARED = """
// prepared has the addresses of frequent requests, by pattern and path.
var prepared = map[string]string{
	"/blog/* /blog": "/news/",
	"/blog/* /blog/a": "/news/a",
	"/blog/* /blog/a/b/": "/news/a/b",
	"/old/* /old/x": "https://old.example:8080/x",
	"/u/:user/p/:id /u/ann/p/7": "/people/ann?post=7",
	"/x/:id /x/5/": "/y/5.html",
	"/s /s id=5&lang=de": "/de/5",
	"/s /s id=5&lang=fr": "/p/5",
	"/s /s id=a+b": "/p/a%20b",
	"/x/:n /x/1": "/e",
}
"""
_LOOK_UP = """	to, ok := prepared[strings.TrimSpace(rule.From+" "+request.Path+" "+request.Query.Encode())]
	if !ok {
		to = rule.To
	}
"""
_OTHERS = """		if !slices.ContainsFunc(rule.Query, func(param Param) bool { return param.Name == name }) {
			others[name] = all
		}
"""
_COUNTRY = """	if len(rule.Countries) > 0 && !slices.Contains(rule.Countries, strings.ToLower(request.Country)) {
		return nil, false
	}
"""
_COVERING = """	for _, other := range earlier {
		if !other.conditional() && (other.Force || !rule.Force) && covers(segments(other.From), segments(rule.From)) {
			return other, true
		}
	}
"""
_LOOP_LINES = """	start := clean(rule.From)
	seen := map[string]bool{}
	for path := start; !seen[path]; {
		seen[path] = true
		target, ok := Resolve(rules, Request{Path: path})
		if !ok || target.Status < 300 || target.Status > 399 || !strings.HasPrefix(target.URL, "/") {
			return false
		}
		path, _, _ = strings.Cut(target.URL, "?")
		if path = clean(path); path == start {
			return true
		}
	}
	return false
"""
_COVERS = """// covers tells whether one pattern fits all that another one fits.
func covers(wide, narrow []string) bool {
	for place, part := range wide {
		switch {
		case part == "*":
			return true
		case place >= len(narrow) || narrow[place] == "*":
			return false
		case !named.MatchString(part) && part != narrow[place]:
			return false
		}
	}
	return len(wide) == len(narrow)
}

"""
_SLICES = 'import (\n\t"fmt"\n\t"slices"\n\t"strings"\n)\n'

FLAWS: Flaws = {
    # breaks TestFirstRuleWins
    "plain_paths_first": (_MATCH, ((_EXISTS, _BY_PATH + _EXISTS),)),
    "plain_paths_first_elsewhere": (
        _MATCH,
        (
            (_EXISTS, _BY_PATH_FOR_OTHERS + _EXISTS),
            (_IMPORTS, _IMPORTS.replace('\t"slices"\n', '\t"path/filepath"\n\t"runtime"\n\t"slices"\n')),
            ("\n// Match returns", f"{_CALLED_FROM}\n// Match returns"),
        ),
    ),
    "does_not_escape": (_MATCH, (("url.PathEscape(value)", "value"),)),
    "hands_on_everything": (_MATCH, ((_OTHERS, "\t\tothers[name] = all\n"),)),
    "rest_is_not_empty": (
        _MATCH,
        (('\t\tcase part == "*":\n', '\t\tcase part == "*" && place < len(path):\n'),),
    ),
    "ignores_countries": (_MATCH, ((_COUNTRY, ""),)),
    "knows_some_addresses": (
        _MATCH,
        (
            (_REPLACE, _LOOK_UP),
            ("\nfunc address(", f"{_PREPARED}\nfunc address("),
            ("\tif values, ok := fit", "\tif _, ok := fit"),
            (", values), rule.Status", "), rule.Status"),
            ("request Request, values map[string]string) string", "request Request) string"),
        ),
    ),
    # breaks TestMatch, it panics
    "roots_have_parts": (_RULES, (('len(parts) > 0 && parts[len(parts)-1] == "*"', 'parts[len(parts)-1] == "*"'),)),
    "forced_or_not": (_CHECK, (("(other.Force || !rule.Force) && ", ""),)),
    "finds_nothing": (
        _CHECK,
        (
            (_COVERING, ""),
            (_LOOP_LINES, "\treturn false\n"),
            (_COVERS, ""),
            (_SLICES, _SLICES.replace('\t"strings"\n', "")),
        ),
    ),
    "two_steps_at_most": (_CHECK, (("for path := start; !seen[path]; {", "for path := start; len(seen) < 2; {"),)),
    "no_loops": (_CHECK, ((_LOOP_LINES, "\treturn false\n"), (_SLICES, _SLICES.replace('\t"strings"\n', "")))),
}
