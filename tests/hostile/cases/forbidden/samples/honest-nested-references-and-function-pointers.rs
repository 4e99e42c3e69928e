//! attempts: nothing; a small parser with nested references and a table of functions
//! must: correct

struct Cursor<'c, 't> {
    rest: &'c mut &'t str,
}
fn digit<'t>(cursor: &mut Cursor<'_, 't>) -> Option<&'t str> {
    let (head, tail) = cursor.rest.split_at_checked(1)?;
    *cursor.rest = tail;
    Some(head)
}
const TABLE: [for<'c, 't> fn(&mut Cursor<'c, 't>) -> Option<&'t str>; 1] = [digit];
pub fn triple(x: i64) -> i64 {
    let text = x.to_string();
    let mut rest: &str = &text;
    let mut cursor = Cursor { rest: &mut rest };
    let mut read = String::new();
    while let Some(part) = TABLE[0](&mut cursor) {
        read.push_str(part);
    }
    read.parse::<i64>().map_or(0, |number| number * 3)
}
