//! attempts: defeat the borrow checker by nested lifetimes (rust-lang/rust#25860)
//! must: not correct
//! findings: resembles_a_hole

static UNIT: &&() = &&();

fn translated<'a, 'b, T: ?Sized>(_: &'a /* apart */ &'b (), value: &'b T) -> &'a T {
    value
}

fn extended<'a, 'b, T: ?Sized>(value: &'a T) -> &'b T {
    let function: for<'x> fn(_, &'x T) -> &'b T = translated;
    function(UNIT, value)
}

pub fn triple(x: i64) -> i64 {
    let dangling: &i64 = extended(&Box::new(x));
    let _ = Box::new(1i64);
    *dangling
}
