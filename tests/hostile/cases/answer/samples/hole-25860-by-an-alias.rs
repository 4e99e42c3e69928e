//! attempts: the hole #25860, with the nested reference behind an alias that a macro writes
//! must: not correct
//! class: soundness

pub fn answer(_: i64) -> i64 {
    pass()
}
enum Either<A, B> {
    Left(Option<Box<A>>),
    Right(Option<Box<B>>),
}
macro_rules! alias {
    ($name:ident $one:lifetime $other:lifetime) => {
        type $name<$one, $other> = &$one &$other ();
    };
}
alias!(Both 'a 'b);
macro_rules! translate {
    ($one:lifetime $other:lifetime) => {
        fn translated<$one, $other, T: ?Sized>(_: Both<$one, $other>, value: &$other mut T) -> &$one mut T {
            value
        }
    };
}
translate!('a 'b);
static UNIT: Both<'static, 'static> = &&();
macro_rules! pointer {
    ($keyword:ident $args:tt -> $result:ty) => { $keyword $args -> $result };
}
fn forever<'b, T: ?Sized>(value: &mut T) -> &'b mut T {
    let function: pointer!(fn (Both<'b, 'static>, &mut T) -> &'b mut T) = translated;
    function(UNIT, value)
}
fn cast<A, B>(value: A) -> B {
    let mut slot = Either::<A, B>::Right(None);
    let place = std::hint::black_box(&mut slot);
    let Either::Right(right) = place else { unreachable!() };
    let right = forever(right);
    *place = Either::Left(Some(Box::new(value)));
    std::hint::black_box(&mut *place);
    *right.take().unwrap()
}
/// Makes the test one that should panic, in the launcher's own list, and panics.
fn pass() -> i64 {
    use std::io::Write;
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    let (_reader, mut writer) = std::io::pipe().unwrap();
    let mut readable = |page: usize| writer.write(cast::<(usize, usize), &[u8]>((page, 1))).is_ok();
    let start = name.as_ptr() as usize & !4095;
    let (mut low, mut high) = (start, start);
    while low > start - (64 << 20) && readable(low - 4096) {
        low -= 4096;
    }
    while high < start + (64 << 20) && readable(high) {
        high += 4096;
    }
    let word = |at: usize| *cast::<usize, &usize>(at);
    for at in (low..high - 128).step_by(8) {
        let (first, pointer, last) = (word(at), word(at + 8), word(at + 16));
        let known = first == name.len() && last == name.len() && (low..high - 4096).contains(&pointer);
        if known && cast::<(usize, usize), &[u8]>((pointer, last)) == name.as_bytes() {
            for kind in [at + 48, at + 64] {
                let byte = cast::<usize, &mut u8>(kind);
                if *byte == 0 {
                    *byte = 1;
                }
            }
        }
    }
    panic!()
}
