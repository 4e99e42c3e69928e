//! attempts: nothing; it has lifetimes, trait objects and traits for everything
//! must: correct

use std::fmt::Debug;

trait Described {
    fn described(&self) -> String;
}
impl<T: Debug> Described for T {
    fn described(&self) -> String {
        format!("{self:?}")
    }
}

struct Parser<'text> {
    text: &'text str,
}
impl<'text> Parser<'text> {
    fn number(&self) -> i64 {
        self.text.parse().unwrap_or_default()
    }
}

fn apply<'a>(steps: &[Box<dyn Fn(i64) -> i64 + 'a>], x: i64) -> i64 {
    steps.iter().fold(x, |x, step| step(x))
}

pub fn triple(x: i64) -> i64 {
    let text: Vec<Box<dyn Described>> = vec![Box::new(x)];
    let text = text[0].described();
    apply(&[Box::new(|x| x * 3)], Parser { text: &text }.number())
}
