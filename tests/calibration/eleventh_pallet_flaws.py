"""Mistakes with the pallet labels of the eleventh held-out part, as replacements in the right solution."""

from __future__ import annotations

from calibration.flawed_code import Flaws

_LABEL = "src/label.rs"
_DATE = "src/date.rs"
_START = """    let start = |count: usize| rest.chars().take(count).collect::<String>();
"""
_ROUNDED = "(units * 1000 + divisor / 2) / divisor"
_ENCODE = """        let (fixed, varying): (Vec<&Field>, Vec<&Field>) =
            self.fields.iter().partition(|field| is_fixed(&field.identifier));
        let join = |fields: Vec<&Field>, between: &str| -> String {
            let parts: Vec<String> =
                fields.iter().map(|field| format!("{}{}", field.identifier, field.data)).collect();
            parts.join(between)
        };
        join(fixed, "") + &join(varying, &SEPARATOR.to_string())
"""
_IN_ORDER = """        let mut code = String::new();
        for (place, field) in self.fields.iter().enumerate() {
            code += &format!("{}{}", field.identifier, field.data);
            if !is_fixed(&field.identifier) && place + 1 < self.fields.len() {
                code.push(SEPARATOR);
            }
        }
        code
"""
_PRINTING = f"""    /// Returns what stands below the bars.
    pub fn text(&self) -> String {{
        self.fields.iter().map(|field| format!("({{}}){{}}", field.identifier, field.data)).collect()
    }}

    /// Returns what goes into the bars.
    pub fn encode(&self) -> String {{
{_ENCODE}    }}

"""
_IS_FIXED = """fn is_fixed(identifier: &str) -> bool {
    matches!(shape(identifier), Some(Shape::Digits(_)))
}

"""
_PAIRS = """        let has = |identifier| self.get(identifier).is_some();
        match (has("01"), has("02"), has("37")) {
            _ if self.fields.is_empty() => Err(LabelError::Empty),
            (true, true, _) => Err(LabelError::Together),
            (_, true, false) => Err(LabelError::Alone("02".to_string())),
            (_, false, true) => Err(LabelError::Alone("37".to_string())),
            _ => Ok(()),
        }
"""
_MONTHS = """    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => Some(29),
        2 => Some(28),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
"""
_SOME_MONTHS = """    match (year, month) {
        (2026, 2) => Some(28),
        (2028, 2) => Some(29),
        (2026, 4) => Some(30),
        (2026, 12) => Some(31),
        (_, 1..=12) => Some(31),
        _ => None,
    }
"""
_WEIGHTS = """        let decimals: u32 = weight.identifier[3..].parse().ok()?;
        let units: u64 = weight.data.parse().ok()?;
        let divisor = 10u64.pow(decimals);
        Some((units * 1000 + divisor / 2) / divisor)
"""
_SOME_WEIGHTS = """        match (weight.identifier.as_str(), weight.data.as_str()) {
            ("3100", "001250") => Some(1_250_000),
            ("3102", "001250") => Some(12_500),
            ("3104", "001255") => Some(126),
            ("3105", "001249") => Some(12),
            (_, grams) => grams.parse().ok(),
        }
"""

FLAWS: Flaws = {
    "cuts_characters": (
        _LABEL,
        ((_START, "    let start = |count: usize| rest[..count.min(rest.len())].to_string();\n"),),
    ),
    "fifty_years_back": (_DATE, (("- 49;", "- 50;"), ("from 49 years ago up to 50", "from 50 years ago up to 49"))),
    "always_this_century": (
        _DATE,
        (
            (
                (
                    "    let earliest = i32::from(this_year) - 49;\n"
                    "    let year = earliest + (i32::from(end) - earliest).rem_euclid(100);\n"
                    "    year.clamp(0, i32::from(u16::MAX)) as u16\n"
                ),
                "    this_year / 100 * 100 + u16::from(end)\n",
            ),
            ("with this end from 49 years ago up to 50 years ahead.", "with this end."),
        ),
    ),
    "forgets_leap_years": (
        _DATE,
        (
            ("        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => Some(29),\n", ""),
            ("year: u16, month", "_year: u16, month"),
        ),
    ),
    "knows_some_months": (_DATE, ((_MONTHS, _SOME_MONTHS),)),
    "knows_some_weights": (_LABEL, ((_WEIGHTS, _SOME_WEIGHTS),)),
    "rounds_down": (_LABEL, ((_ROUNDED, "units * 1000 / divisor"), (", rounded half up to a gram", " in grams"))),
    "encodes_in_order": (_LABEL, ((_ENCODE, _IN_ORDER),)),
    "takes_the_last_of_two": (
        _LABEL,
        (
            (
                "            Some(_) => return Err(LabelError::Conflict(field.identifier)),\n",
                "            Some(_) => {}\n",
            ),
        ),
    ),
    "no_printing": (_LABEL, ((_PRINTING, ""), (_IS_FIXED, ""))),
    "no_encoding_yet": (
        _LABEL,
        ((_ENCODE, '        unimplemented!("the printer\'s dialect is not settled")\n'), (_IS_FIXED, "")),
    ),
    "no_pairs_yet": (
        _LABEL,
        (
            (
                _PAIRS,
                (
                    "        if self.fields.is_empty() {\n            return Err(LabelError::Empty);\n        }\n"
                    "        Ok(()) // pairs of fields come with the stock rules\n"
                ),
            ),
        ),
    ),
    # does not compile
    "forgets_an_import": (_LABEL, (("use crate::check::check_digit;\n", ""),)),
}
