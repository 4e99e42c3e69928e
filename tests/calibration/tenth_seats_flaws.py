"""Mistakes in the project `seats` of the tenth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

BOOK_ALL = """        let mut after = self.clone();
        for seat in seats {
            after.book(*seat)?;
        }
        *self = after;
        Ok(())
"""
CHECK_THEN_BOOK = """        for seat in seats {
            if !self.has(*seat) {
                return Err(Refusal::NoSuchSeat(*seat));
            }
            if !self.is_free(*seat) {
                return Err(Refusal::Taken(*seat));
            }
        }
        self.sold.extend(seats);
        Ok(())
"""
"""Two ways to book all seats or none, of which the second does not notice a seat that is listed twice."""
_SEARCH = """        let mut stranding = None;
        for (row, length) in ('A'..).zip(&self.rows) {
            let mut blocks = self.blocks(row, n);
            blocks.sort_by_key(|block| (block[0].number + block[n - 1].number).abs_diff(length + 1));
            for block in blocks {
                if !self.strands(&block) {
                    return Some(block);
                }
                stranding.get_or_insert(block);
            }
        }
        stranding
    }
"""
_SEARCH_ROW_BY_ROW = """        for (row, length) in ('A'..).zip(&self.rows) {
            let mut blocks = self.blocks(row, n);
            blocks.sort_by_key(|block| (block[0].number + block[n - 1].number).abs_diff(length + 1));
            let best = blocks.iter().find(|block| !self.strands(block)).or(blocks.first());
            if best.is_some() {
                return best.cloned();
            }
        }
        None
    }
"""
_SEARCH_BY_PLACEMENT = """        self.together_by(n, &FrontLeft)
    }

    /// Proposes free seats side by side, as a placement wants them.
    pub fn together_by(&self, n: usize, placement: &dyn Placement) -> Option<Vec<Seat>> {
        placement.choose(self, n)
    }
"""
_SHORT_DOC = "/// Writes seats as on a ticket, such as `A3-A5, B1`.\n"
_PLACEMENT = """/// A way to choose seats for a party.
pub trait Placement {
    fn choose(&self, hall: &Hall, n: usize) -> Option<Vec<Seat>>;
}

/// As far in front and as far to the left as possible.
pub struct FrontLeft;

impl Placement for FrontLeft {
    fn choose(&self, hall: &Hall, n: usize) -> Option<Vec<Seat>> {
        ('A'..).take(hall.rows.len()).find_map(|row| hall.blocks(row, n).into_iter().next())
    }
}

"""
_STRANDS = """    fn strands(&self, block: &[Seat]) -> bool {
        let stays_free = |seat: &Seat| self.is_free(*seat) && !block.contains(seat);
        block
            .iter()
            .flat_map(|seat| self.neighbours(*seat))
            .filter(stays_free)
            .any(|seat| !self.neighbours(seat).iter().any(stays_free))
    }
"""
_STRANDS_DOC = "    /// Returns whether a free seat would lose its last free neighbour.\n"
_NEVER_STRANDS = "    fn strands(&self, _block: &[Seat]) -> bool {\n        false\n    }\n"
_RUNS = """    let runs = seats.chunk_by(|left, right| left.row == right.row && left.number + 1 == right.number);
    let mut pieces = Vec::new();
    for run in runs {
        match run {
            [first, .., last] if run.len() > 2 => pieces.push(format!("{first}-{last}")),
            _ => pieces.extend(run.iter().map(Seat::to_string)),
        }
    }
    pieces.join(", ")
"""
_NO_RUNS = '    seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(", ")\n'

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "seats": {
        # break tests of the base
        "sorts_what_was_sold": (
            ("use std::fmt;\n", "use std::collections::BTreeSet;\nuse std::fmt;\n"),
            ("    sold: Vec<Seat>,\n", "    sold: BTreeSet<Seat>,\n"),
            ("sold: Vec::new() }", "sold: BTreeSet::new() }"),
            ("self.sold.push(seat);", "self.sold.insert(seat);"),
        ),
        "has_a_blank_behind_the_letter": (
            ("            plan.push(row);\n", "            plan.push(row);\n            plan.push(' ');\n"),
            ("if number == 1 || self.aisles", "if self.aisles"),
        ),
        # found by one test of the tree `tests` each
        "checks_then_books": ((BOOK_ALL, CHECK_THEN_BOOK),),
        "strands_row_by_row": ((_SEARCH, _SEARCH_ROW_BY_ROW),),
        # found by most of them
        "has_placements": (
            (_SEARCH, _SEARCH_BY_PLACEMENT),
            (_STRANDS_DOC + _STRANDS + "\n", ""),
            (_SHORT_DOC, _PLACEMENT + _SHORT_DOC),
        ),
        "strands_nobody": ((_STRANDS, _NEVER_STRANDS), (_RUNS, _NO_RUNS)),
    },
}
