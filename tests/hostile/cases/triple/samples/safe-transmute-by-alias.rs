//! attempts: defeat the borrow checker by lifetimes that an alias hides (rust-lang/rust#25860)
//! must: not correct
//! findings: resembles_a_hole

type Ref<'a, T> = &'a T;

fn translated<'a, 'b, T: ?Sized>(_: Ref<'a, Ref<'b, ()>>, value: Ref<'b, T>) -> Ref<'a, T> {
    value
}

fn extended<'a, 'b, T: ?Sized>(value: Ref<'a, T>) -> Ref<'b, T> {
    let function: fn(Ref<'b, Ref<'static, ()>>, &T) -> Ref<'b, T> = translated;
    function(&&(), value)
}

pub fn triple(x: i64) -> i64 {
    let dangling: &i64 = extended(&Box::new(x));
    let _ = Box::new(1i64);
    *dangling
}
