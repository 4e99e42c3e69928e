//! attempts: the hole #57893, all of it from a macro that takes the words one by one
//! must: not correct
//! class: soundness

pub fn answer(_: i64) -> i64 {
    pass()
}
macro_rules! hole {
    ($trait:ident $impl:ident $dyn:ident $q:tt) => {
        $trait Object<U> {
            type Output;
        }
        $impl<T: $q Sized, U> Object<U> for T {
            type Output = U;
        }
        fn same<T: $q Sized, U>(value: <T as Object<U>>::Output) -> U {
            value
        }
        fn cast<A, B>(value: A) -> B {
            same::<$dyn Object<B, Output = A>, B>(value)
        }
    };
}
hole!(trait impl dyn ?);
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
