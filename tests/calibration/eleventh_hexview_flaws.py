"""Mistakes in the hex dumper of the eleventh held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

LIB, ARGS, MAIN, RESTORE = "src/lib.rs", "src/args.rs", "src/main.rs", "src/restore.rs"

_PADDING = '    bytes.resize(view.width, "  ".to_string());\n'
_GROUPS = """        .chunks_mut(view.group)
        .map(|group| {
            if view.little {
                group.reverse();
            }
            group.concat()
        })
"""
_GROUPS_PADDED_LAST = """        .chunks_mut(view.group)
        .map(|group| {
            if view.little {
                group.reverse();
            }
            format!("{:<columns$}", group.concat())
        })
"""
_JOINED = '    groups.join(" ")\n'
_JOINED_PADDED_LAST = '    format!("{:<all$}", groups.join(" "))\n'
_WRONG_OFFSET = "        } else if offset != expected {\n"
_STAR_CHECK = "            if offset <= expected || (offset - expected) % size != 0 {\n"
_REPEATED = "lines[number..].iter().rev().skip(1).rev().take_while"
_RESTORE_ARGS = """    if parsed.restore && shows {
        return Err("--restore goes with no other option".to_string());
    }
"""
_RESTORED = """    let output = if args.restore {
        hexview::restore(&String::from_utf8_lossy(&bytes))?
    } else {
        let (first, part) = args.part.of(&bytes);
        hexview::dump(part, &View { first, ..args.view.clone() }).into_bytes()
    };
    io::stdout().write_all(&output).map_err(|error| error.to_string())
"""
_SHOWN = """    let (first, part) = args.part.of(&bytes);
    let dump = hexview::dump(part, &View { first, ..args.view.clone() });
    io::stdout().write_all(dump.as_bytes()).map_err(|error| error.to_string())
"""
_FIELD = "    /// Whether to go from a dump back to bytes.\n    pub restore: bool,\n"
_DEVELOPMENT = """
/// Whether somebody works on hexview itself; then a broken dump should not go unnoticed.
fn strict() -> bool {
    std::env::var_os("CARGO_MANIFEST_DIR").is_some()
}

/// Returns the offset and the bytes of a line.
"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "without_restore": {
        LIB: (("mod restore;\n\npub use restore::restore;\n", ""),),
        ARGS: (
            (_FIELD, ""),
            ("part: Part::default(), restore: false, file", "part: Part::default(), file"),
            ("    let mut shows = false;\n", ""),
            ('            "--restore" => parsed.restore = true,\n', ""),
            ("        shows |= arg.len() > 1 && arg.starts_with('-') && arg != \"--restore\";\n", ""),
            (_RESTORE_ARGS, ""),
        ),
        MAIN: ((_RESTORED, _SHOWN),),
    },
    # breaks tests of the base, as the next two do
    "forgets_the_padding": {LIB: ((_PADDING, ""),)},
    "takes_any_width": {ARGS: (("Ok(number) if number > 0 => Ok(number)", "Ok(number) => Ok(number)"),)},
    "dump_has_an_offset": {
        LIB: (
            ("    /// The offset of the first byte.\n    pub first: usize,\n", ""),
            ("squeeze: false, first: 0 }", "squeeze: false }"),
            ("pub fn dump(bytes: &[u8], view: &View)", "pub fn dump(bytes: &[u8], first: usize, view: &View)"),
            ("view.first + number", "first + number"),
        ),
        MAIN: (
            ("hexview::dump(part, &View { first, ..args.view.clone() })", "hexview::dump(part, first, &args.view)"),
            ("use hexview::View;\n", ""),
        ),
    },
    "pads_words_on_the_right": {
        LIB: (
            (
                _PADDING,
                "    let columns = 2 * view.group;\n    let all = (columns + 1) * view.width / view.group - 1;\n",
            ),
            (_GROUPS, _GROUPS_PADDED_LAST),
            (_JOINED, _JOINED_PADDED_LAST),
        ),
    },
    "crashes_behind_the_end": {ARGS: (("self.skip.min(bytes.len())", "self.skip"),)},
    "squeezes_the_last_line": {LIB: ((_REPEATED, "lines[number..].iter().take_while"),)},
    "stars_a_single_line": {LIB: (("if repeated > 1 {", "if repeated > 0 {"),)},
    "counts_from_zero": {
        MAIN: (
            ("&View { first, ..args.view.clone() }", "&args.view"),
            ("let (first, part)", "let (_, part)"),
            ("use hexview::View;\n", ""),
        )
    },
    "stars_of_any_length": {RESTORE: ((_STAR_CHECK, "            if offset <= expected {\n"),)},
    "reads_from_the_last_bar": {
        RESTORE: (("rest.split('|').next()?.split_whitespace()", 'rest.rsplit_once("  |")?.0.split_whitespace()'),)
    },
    "strict_for_developers": {
        RESTORE: (
            (_WRONG_OFFSET, "        } else if offset != expected && strict() {\n"),
            (_STAR_CHECK, "            if strict() && (offset <= expected || (offset - expected) % size != 0) {\n"),
            ("for _ in 0..(offset - expected) / size {", "for _ in 0..offset.saturating_sub(expected) / size {"),
            ("\n/// Returns the offset and the bytes of a line.\n", _DEVELOPMENT),
        ),
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in agent.task.trees["solution"]:
        if path == RESTORE and "without_restore" in flaws:
            continue
        put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
