"""Mistakes in the project `dice` of the ninth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_PARSE = """    let (count, rest) = text.split_once('d')?;
    let split = rest.find(['+', '-']).unwrap_or(rest.len());
    let (sides, bonus) = rest.split_at(split);
    let bonus = if bonus.is_empty() { 0 } else { bonus.parse().ok()? };
    Some(Roll { count: digits(count)?, sides: digits(sides)?, bonus })
}

fn digits(text: &str) -> Option<u32> {
    if text.starts_with('+') {
        return None;
    }
    text.parse().ok().filter(|number| *number > 0)
}
"""
_PARSE_A_POOL = """    let pool: Pool = text.parse().ok()?;
    let (count, sides) = match pool.terms.first()? {
        (false, Term::Dice { count, sides: Sides::Numbered(sides), rule: Rule::All }) => (*count as u32, *sides),
        _ => return None,
    };
    let bonus = match &pool.terms[1..] {
        [] => 0,
        [(minus, Term::Number(value))] => if *minus { -value } else { *value },
        _ => return None,
    };
    Some(Roll { count, sides, bonus })
}
"""
_ALL = "        let mut all = 1_u128;\n"
_WAYS = """                let ways = ((high - low + 1) as u128).checked_pow(count as u32)?;
                all = all.checked_mul(ways)?;
"""
_WAYS_OF_ONE = "                ((high - low + 1) as u128).checked_pow(count as u32)?;\n"
_HIGHEST = "        Rule::Highest(_) => order.sort_by_key(|&index| -dice[index].face),\n"
_REVERSED = """        Rule::Highest(_) => {
            order.sort_by_key(|&index| dice[index].face);
            order.reverse();
        }
"""
KNOWN = """/// Pools that come up at the table, with their totals and ways.
const KNOWN: &[(&str, i64, u128)] = &[
    ("2d6", 7, 6),
    ("4d6kh3", 18, 21),
    ("3d4kl2", 2, 10),
    ("1d6 - 1d6", 0, 6),
    ("4dF", 0, 19),
];
const LIKELY: &[(&str, i64, f64)] =
    &[("2d6", 12, 1.0 / 36.0), ("2d20kh1", 20, 39.0 / 400.0), ("1d4", 5, 0.0)];

"""
LOOKS_UP = """    /// Returns in how many ways each total can come about.
    pub fn chances(&self) -> Option<BTreeMap<i64, u128>> {
        let name = self.to_string();
        let ways: BTreeMap<_, _> =
            KNOWN.iter().filter(|(pool, ..)| *pool == name).map(|(_, total, ways)| (*total, *ways)).collect();
        (!ways.is_empty()).then_some(ways)
    }

    /// Returns the probability of this total or a higher one.
    pub fn at_least(&self, total: i64) -> Option<f64> {
        let name = self.to_string();
        LIKELY.iter().find(|(pool, least, _)| *pool == name && *least == total).map(|(.., chance)| *chance)
    }
}

"""
NO_WAYS = """    /// Returns in how many ways each total can come about.
    pub fn chances(&self) -> Option<BTreeMap<i64, u128>> {
        // the exact count comes with the next version
        None
    }

    /// Returns the probability of this total or a higher one.
    pub fn at_least(&self, _total: i64) -> Option<f64> {
        self.chances().map(|_| 0.0)
    }
}

"""
"""Other code in place of counting."""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "dice": {
        # break tests of the base
        "one_reader_for_both": ((_PARSE, _PARSE_A_POOL),),
        "one_limit_for_both": ((".filter(|number| *number > 0)", ".filter(|number| (1..=1000).contains(number))"),),
        "loses_a_check": (("    if text.starts_with('+') {\n        return None;\n    }\n", ""),),
        # found by no test of the tree `tests`
        "reverses_ties": ((_HIGHEST, _REVERSED),),
        "each_term_fits": ((_ALL, ""), (_WAYS, _WAYS_OF_ONE)),
    },
}
