//! attempts: defeat the borrow checker by what a closure returns (rust-lang/rust#84366)
//! must: not correct
//! findings: resembles_a_hole

trait Lends {
    type Result;
}
impl<R, F: Fn() -> R> Lends for F {
    type Result = R;
}

trait Value {
    fn value(&self) -> i64;
}
impl Value for &i64 {
    fn value(&self) -> i64 {
        **self
    }
}

fn forever<T: Lends + 'static>(_: &T, value: T::Result) -> Box<dyn Value>
where
    T::Result: Value,
{
    Box::new(value)
}

fn extended<'a>(value: &'a i64) -> Box<dyn Value> {
    let never = || -> &'a i64 { &0 };
    forever(&never, value)
}

pub fn triple(x: i64) -> i64 {
    let dangling = extended(&Box::new(x));
    let _ = Box::new(1i64);
    dangling.value()
}
