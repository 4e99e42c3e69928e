"""Mistakes in the projects of the seventh held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_BY_NAME = """		if !a.Time.Equal(b.Time) {
			return a.Time.After(b.Time)
		}
		return a.Name < b.Name
"""
_OWN_LOCATION = """	location := p.Location
	if location == nil {
		location = time.UTC
	}
"""
_ISO_WEEK = """		year, week := t.In(location).ISOWeek()
		return fmt.Sprintf("%d-W%02d", year, week)
"""
_WEEK_OF_THE_YEAR = """		_, week := t.In(location).ISOWeek()
		return fmt.Sprintf("%d-W%02d", t.In(location).Year(), week)
"""
_COLUMNS = """            let blanks = if width == 0 { column } else { column.max(width + 1) - width };
            result.push_str(&" ".repeat(blanks));
            width += blanks + moved.chars().count();
            result.push_str(&moved);
        }
        column += piece.chars().count();
"""
_GAPS = """            result.push_str(&moved);
        }
        result.push_str(&piece[word.len()..]);
"""
_EVERY_LINE = """    text.split_inclusive('\\n')
        .map(|line| {
            let content = line.trim_end_matches(['\\r', '\\n']);
            transpose_line(content, steps, spelling) + &line[content.len()..]
        })
        .collect()
"""
_LINES_JOINED = """    let lines: Vec<_> = text.lines().map(|line| transpose_line(line, steps, spelling)).collect();
    let end = if text.ends_with('\\n') { "\\n" } else { "" };
    lines.join("\\n") + end
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "subs": {
        # breaks a test of the base
        "strips_lines": (('"\\n".join(line for _, line in lines)', '"\\n".join(line.strip() for _, line in lines)'),),
        "fraction_as_number": (('int((fraction or "").ljust(3, "0"))', "int(fraction or 0)"),),
        "hours_needed": (("(?:(\\d+):)?", "(\\d+):"),),
        "numbers_after_stripping": (
            ('.replace("\\r", "\\n").split("\\n")', '.replace("\\r", "\\n").strip().split("\\n")'),
        ),
    },
    "recipe": {
        # breaks a test of the base
        "finds_amounts_anywhere": (
            ("_AMOUNT.match(line)", "_AMOUNT.search(line)"),
            ("    return (amount.replace(", "    return line[: match.start()] + (amount.replace("),
        ),
        "rounds_to_even": (("int(amount * 100 + Fraction(1, 2))", "round(amount * 100)"),),
        "scales_headings": (('    if line.rstrip().endswith(":"):\n        return line\n', ""),),
    },
    "snapshots": {
        # breaks a test of the base
        "forgets_names": ((_BY_NAME, "		return a.Time.After(b.Time)\n"),),
        "calendar_year": ((_ISO_WEEK, _WEEK_OF_THE_YEAR),),
        "utc_only": ((_OWN_LOCATION, "	location := time.UTC\n"),),
    },
    "tickets": {
        # breaks a test of the base
        "splits_words": (
            ("  const wanted = plain(value);\n", "  const parts = plain(value).split(/[^\\p{L}\\p{N}]+/u);\n"),
            (
                "  return (ticket) => plain(ticket.title).includes(wanted) || plain(ticket.body).includes(wanted);\n",
                "  return (ticket) => parts.every((part) => plain(`${ticket.title} ${ticket.body}`).includes(part));\n",
            ),
        ),
        "every_author": (("authors.some((test) => test(ticket))", "authors.every((test) => test(ticket))"),),
        "first_ten_letters": (("new Date(ticket.created).toISOString().slice(0, 10)", "ticket.created.slice(0, 10)"),),
    },
    "chords": {
        # breaks a test of the base
        "remainder": (("notes[index.rem_euclid(12) as usize]", "notes[(index % 12) as usize]"),),
        "keeps_the_gaps": (
            (_COLUMNS, _GAPS),
            ("    let mut width = 0;\n    let mut column = 0;\n", ""),
            ("    result\n}\n\n/// Reads a note", "    result.trim_end().to_owned()\n}\n\n/// Reads a note"),
        ),
        "line_ends_lost": ((_EVERY_LINE, _LINES_JOINED),),
        "highest_fret": (("(0..=7).rev().max_by_key", "(0..=7).max_by_key"),),
    },
}
