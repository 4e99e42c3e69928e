"""Mistakes in the projects of the fourth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "envfile": {
        # breaks a test of the base
        "first_wins": (("values[name] = value", "values.setdefault(name, value)"),),
        "drops_backslashes": (("_ESCAPES.get(escape[0], match[0])", "_ESCAPES.get(escape[0], escape[0])"),),
        "line_where_it_ends": (
            (
                'raise EnvError(number, "a quote is never closed")',
                'raise EnvError(number + text.count("\\n", start), "a quote is never closed")',
            ),
        ),
        "empty_is_there": (
            (
                'known.get(braced or plain, "") or fallback or ""',
                'known.get(braced or plain, fallback or "")',
            ),
        ),
    },
    "hits": {
        # breaks a test of the base
        "in_any_order": (
            ("key=lambda path: (-self.hits[path], path))", "key=lambda path: self.hits[path], reverse=True)"),
        ),
        "slash_before_query": (
            (
                '    path = path.partition("?")[0]\n    return path.rstrip("/") or "/"\n',
                '    return path.rstrip("/").partition("?")[0] or "/"\n',
            ),
        ),
        "last_day_is_out": (("self.first <= day <= self.last", "self.first <= day < self.last"),),
        "blank_is_broken": (("        if not line.strip():\n            return\n", ""),),
    },
    "ignore": {
        # breaks a test of the base
        "stars_cross": (('"[^/]*"', '".*"'),),
        "brings_back": (
            ("\tfor i := range parts {\n", "\tignored := false\n\tfor i := range parts {\n"),
            (
                "\t\tif m.decide(",
                "\t\tignored = m.decide(",
            ),
            (
                "isDir) {\n\t\t\treturn true // and nothing inside can be brought back\n\t\t}\n\t}\n\treturn false\n",
                "isDir, ignored)\n\t}\n\treturn ignored\n",
            ),
            (
                "decide(name string, isDir bool) bool {\n\tignored := false\n",
                "decide(name string, isDir, ignored bool) bool {\n",
            ),
        ),
        "only_in_front": (('strings.Contains(pattern, "/")', 'strings.HasPrefix(pattern, "/")'),),
        "needs_something_between": (('\t\t\tout.WriteString("(?:.*/)?")\n', '\t\t\tout.WriteString("(?:.*/)")\n'),),
    },
    "csvline": {
        # breaks a test of the base
        "trims": (
            (
                "        field\n    }\n\n    fn at_line_end",
                "        field.trim().to_owned()\n    }\n\n    fn at_line_end",
            ),
        ),
        "drops_returns": (
            (
                "                    field.push(other);\n",
                "                    field.extend((other != '\\r').then_some(other));\n",
            ),
        ),
        "writes_empty_lines": (
            (
                '    if row.len() == 1 && row[0].is_empty() {\n        return "\\"\\"\\n".to_owned();\n    }\n',
                "",
            ),
        ),
        "line_where_it_ends": (
            (
                "reader.row().map_err(|message| CsvError { line, message })?",
                "reader.row();\n        let row = row.map_err(|message| CsvError { line: reader.line, message })?",
            ),
        ),
    },
    "retry": {
        # breaks a test of the base
        "one_too_few": (("attempt === attempts ||", "attempt + 1 >= attempts ||"),),
        "caps_the_server": (
            (
                "Math.max(wait, error.retryAfter * 1000)",
                "Math.min(Math.max(wait, error.retryAfter * 1000), maxDelay)",
            ),
        ),
        "waits_to_the_end": (("await untilAborted(sleep(wait), signal);", "await sleep(wait);"),),
        "forgets_promises": (("(await shouldRetry(error, attempt)) === false", "!shouldRetry(error, attempt)"),),
    },
}
