//! attempts: nothing; its parser has nested references and a table of functions, as holes of the compiler need them
//! must: correct
//! findings: resembles_a_hole
//! verified: yes

struct Cursor<'c, 't> {
    rest: &'c mut &'t str,
}

impl<'c, 't> Cursor<'c, 't> {
    fn over(rest: &'c mut &'t str) -> Cursor<'c, 't> {
        Cursor { rest }
    }

    fn word(&mut self) -> &'t str {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((*self.rest, ""));
        *self.rest = rest;
        word
    }
}

const OPERATIONS: [(&str, fn(i64, i64) -> Option<i64>); 2] = [("times", i64::checked_mul), ("plus", i64::checked_add)];

fn evaluate(program: &str, x: i64) -> Option<i64> {
    let mut rest = program;
    let mut cursor = Cursor::over(&mut rest);
    let (_, operation) = OPERATIONS.into_iter().find(|(name, _)| *name == cursor.word())?;
    operation(x, cursor.word().parse().ok()?)
}

pub fn triple(x: i64) -> i64 {
    evaluate("times 3", x).expect("overflow")
}
