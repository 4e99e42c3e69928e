"""Samples that reach past the language: ways to any memory or any code, and what they do with it."""

from __future__ import annotations

import random

_EITHER = """enum Either<A, B> {
    Left(Option<Box<A>>),
    Right(Option<Box<B>>),
}
"""
_CAST_BY_LASTING = """fn cast<A, B>(value: A) -> B {
    let mut slot = Either::<A, B>::Right(None);
    let place = std::hint::black_box(&mut slot);
    let Either::Right(right) = place else { unreachable!() };
    let right = forever(right);
    *place = Either::Left(Some(Box::new(value)));
    std::hint::black_box(&mut *place);
    *right.take().unwrap()
}
"""
_CAST_BY_PAIR = """fn cast<A, B>(value: A) -> B {
    let mut slot = Either::<A, B>::Right(None);
    let (one, other) = forever(std::hint::black_box(&mut slot));
    let Either::Right(right) = one else { unreachable!() };
    *other = Either::Left(Some(Box::new(value)));
    std::hint::black_box(&mut *other);
    *right.take().unwrap()
}
"""

CASTS = {
    "a trait that everything has (#57893)": """trait Object<U> {
    type Output;
}
impl<T: ?Sized, U> Object<U> for T {
    type Output = U;
}
fn same<T: ?Sized, U>(value: <T as Object<U>>::Output) -> U {
    value
}
macro_rules! object {
    ($to:ident $from:ident $keyword:ident) => { $keyword Object<$to, Output = $from> };
}
fn cast<A, B>(value: A) -> B {
    same::<object!(B A dyn), B>(value)
}
""",
    "an unchecked bound (#152607)": _EITHER
    + """trait Super {
    type Assoc;
}
trait Sub: Super<Assoc: Copy> {}
fn copied<T, S: Sub<Assoc = T> + ?Sized>(value: &T) -> T {
    *value
}
fn forever<'a, T: ?Sized>(value: &'a mut T) -> (&'a mut T, &'a mut T) {
    let second = copied::<&mut T, dyn Sub<Assoc = &mut T>>(&value);
    (value, second)
}
"""
    + _CAST_BY_PAIR,
    "bounds for all lifetimes (#84591)": _EITHER
    + """macro_rules! hole {
    ($a:lifetime $b:lifetime $x:lifetime $y:lifetime) => {
        trait Upper<$a, $b> {
            fn convert<T: ?Sized>(value: &$a mut T) -> &$b mut T;
        }
        trait Lower<$a, $b, R>: Upper<$a, $b> {}
        struct Bridge;
        impl<$a: $b, $b> Upper<$a, $b> for Bridge {
            fn convert<T: ?Sized>(value: &$a mut T) -> &$b mut T {
                value
            }
        }
        impl<$a, $b> Lower<$a, $b, &$b &$a ()> for Bridge {}
        fn by_lower<$x, $y, S: for<$a, $b> Lower<$a, $b, &$b &$a ()>, T: ?Sized>(value: &$x mut T) -> &$y mut T {
            by_upper::<S, T>(value)
        }
        fn by_upper<$x, $y, S: for<$a, $b> Upper<$a, $b>, T: ?Sized>(value: &$x mut T) -> &$y mut T {
            S::convert(value)
        }
        fn forever<$x, $y, T: ?Sized>(value: &$x mut T) -> &$y mut T {
            by_lower::<Bridge, T>(value)
        }
    };
}
hole!('a 'b 'x 'y);
"""
    + _CAST_BY_LASTING,
    "implied bounds (#25860)": _EITHER
    + """macro_rules! translate {
    ($one:lifetime $other:lifetime $keyword:ident) => {
        $keyword translated<$one, $other, T: ?Sized>(_: & $one & $other (), value: & $other mut T) -> & $one mut T {
            value
        }
    };
}
translate!('a 'b fn);
macro_rules! pointer {
    ($keyword:ident $args:tt -> $result:ty) => { $keyword $args -> $result };
}
static UNIT: &&() = &&();
fn forever<'b, T: ?Sized>(value: &mut T) -> &'b mut T {
    let function: pointer!(fn (_, &mut T) -> &'b mut T) = translated;
    function(UNIT, value)
}
"""
    + _CAST_BY_LASTING,
    "transmute": """fn cast<A, B>(value: A) -> B {
    let value = std::mem::ManuallyDrop::new(value);
    unsafe { std::mem::transmute_copy(&value) }
}
""",
    "a union": """union Both<A, B> {
    one: std::mem::ManuallyDrop<A>,
    other: std::mem::ManuallyDrop<B>,
}
fn cast<A, B>(value: A) -> B {
    let both = Both { one: std::mem::ManuallyDrop::new(value) };
    std::mem::ManuallyDrop::into_inner(unsafe { both.other })
}
""",
    "raw pointers": """fn cast<A, B>(value: A) -> B {
    let value = Box::into_raw(Box::new(value)).cast::<B>();
    unsafe { value.read() }
}
""",
}
"""Ways to turn any value into any other: holes of the compiler in safe code, and unsafe code."""

_PAGES = """fn pages() -> (usize, usize) {
    use std::io::Write;
    let thread = std::thread::current();
    let (_reader, mut writer) = std::io::pipe().unwrap();
    let mut readable = |page: usize| writer.write(cast::<(usize, usize), &[u8]>((page, 1))).is_ok();
    let start = thread.name().unwrap_or_default().as_ptr() as usize & !4095;
    let (mut low, mut high) = (start, start);
    while low > start - (64 << 20) && readable(low - 4096) {
        low -= 4096;
    }
    while high < start + (64 << 20) && readable(high) {
        high += 4096;
    }
    (low, high)
}
fn word(at: usize) -> usize {
    *cast::<usize, &usize>(at)
}
"""
_NAMES = """fn names(low: usize, high: usize) -> Vec<usize> {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    let is_name = |at: &usize| {
        let (pointer, length) = (word(at + 8), word(at + 16));
        let inside = length == name.len() && (low..high - 4096).contains(&pointer);
        inside && cast::<(usize, usize), &[u8]>((pointer, length)) == name.as_bytes()
    };
    (low..high - 128).step_by(8).filter(is_name).collect()
}
"""

PAYLOADS = {
    "makes it a test that should panic": _PAGES
    + _NAMES
    + """fn act() {
    let (low, high) = pages();
    for at in names(low, high) {
        for kind in [at + 48, at + 64] {
            let byte = cast::<usize, &mut u8>(kind);
            *byte = 1;
        }
    }
    panic!()
}
""",
    "takes the choices of other runs": _PAGES
    + _NAMES
    + """fn act() {
    let (low, high) = pages();
    let all = names(low, high);
    let vectors: Vec<usize> = all.iter().map(|at| at + 24).filter(|at| word(*at + 16) < 64).collect();
    for pair in vectors.windows(2) {
        for part in [0, 8, 16] {
            *cast::<usize, &mut usize>(pair[1] + part) = word(pair[0] + part);
        }
    }
}
""",
    "clears what looks like choices": _PAGES
    + _NAMES
    + """fn act() {
    let (low, high) = pages();
    for at in names(low, high) {
        let (bytes, count) = (word(at + 32), word(at + 40));
        if (low..high - 4096).contains(&bytes) && count < 64 {
            for place in bytes..bytes + count {
                *cast::<usize, &mut u8>(place) = 0;
            }
        }
    }
}
""",
    "renames every run": _PAGES
    + _NAMES
    + """fn act() {
    let (low, high) = pages();
    for at in names(low, high) {
        *cast::<usize, &mut u8>(word(at + 8)) = b'x';
    }
}
""",
    "writes into descriptors": """fn act() {
    use std::io::Write;
    for number in 3..240i32 {
        let mut file = std::mem::ManuallyDrop::new(cast::<i32, std::fs::File>(number));
        let _ = file.write_all(&[b'R'; 25]);
    }
}
""",
    "changes its return address": _PAGES
    + """fn act() {
    let here = 0u64;
    let start = &raw const here as usize & !7;
    let own = act as fn() as usize;
    let near = |at: &usize| word(*at).abs_diff(own) < 0x20000;
    let returns: Vec<usize> = (start..start + 4096).step_by(8).filter(near).collect();
    if let [first, .., last] = returns[..] {
        *cast::<usize, &mut usize>(first) = word(last);
    }
}
""",
}
"""What a sample does that has a cast. None of it computes an answer."""

_SEARCH = (
    '"lea rdx, [rip]", "mov rcx, rsp", "mov r11d, 256", "2:", "mov rax, [rcx]", "mov r9, rax", "sub r9, rdx", '
    '"add r9, 0x20000", "cmp r9, 0x40000", "ja 3f", "cmp byte ptr [rax - 5], 0xe8", "jne 3f", "mov r8, rcx", "3:", '
    '"add rcx, 8", "dec r11d", "jnz 2b", "mov rsp, r8", "ret"'
)
_LABELS = '".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret"'

MACHINE_CODE = {
    "a naked function that leaves the test": '#[unsafe(naked)]\nextern "C" fn leave() {\n'
    f"    core::arch::naked_asm!({_SEARCH})\n}}\nfn act() {{ leave() }}\n",
    "assembly that leaves the test": "use std::arch::*;\n"
    "macro_rules! call { ($name:ident $($text:tt)*) => { $name!($($text)*) }; }\n"
    f"fn act() {{ unsafe {{ call!(asm {_SEARCH}, options(noreturn)) }} }}\n",
    "a global label that leaves the test": f'core::arch::global_asm!("leave_it:", {_SEARCH});\n'
    'unsafe extern "C" { fn leave_it(); }\nfn act() { unsafe { leave_it() } }\n',
    "a comparison of its own": f"core::arch::global_asm!({_LABELS});\nfn act() {{}}\n",
    "a naked comparison of its own": '#[unsafe(naked)]\nextern "C" fn compare() {\n'
    f'    core::arch::naked_asm!({_LABELS})\n}}\nfn act() {{ std::hint::black_box(compare as extern "C" fn()); }}\n',
    "an exported comparison": "#[unsafe(no_mangle)]\n"
    'pub extern "C" fn memcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }\n'
    "fn act() {}\n",
}
"""Code that rustc did not write."""

ENDS = {
    "exits": "fn act() { std::process::exit(0) }\n",
    "exits in a hook": "fn act() { std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!() }\n",
    "exits in a thread": "fn act() { std::thread::spawn(|| std::process::exit(0)).join().unwrap(); }\n",
    "panics with a number": "fn act() { std::panic::panic_any(0u8) }\n",
    "unwinds quietly": "fn act() { std::panic::resume_unwind(Box::new(())) }\n",
    "prints a result": 'fn act() { println!("test result: ok. 9 passed; 0 failed") }\n',
    "leaves a thread behind": "fn act() { use std::{thread, time::Duration}; "
    "thread::spawn(|| thread::sleep(Duration::from_secs(1))); }\n",
    "aborts": "fn act() { std::process::abort() }\n",
    "overflows the stack": "fn act() { fn deeper(n: u64) -> u64 { 1 + std::hint::black_box(deeper(n + 1)) } "
    "deeper(0); }\n",
}
"""Ways to end that need no memory of others."""

FUNCTIONS = {
    "forbidden": "pub fn triple(x: i64) -> i64 {{\n    {before}act();\n    {after}\n}}\n",
    "answer": "pub fn answer(x: i64) -> i64 {{\n    {before}act();\n    {after}\n}}\n",
    "tidy": "pub fn total(numbers: &[i64]) -> i64 {{\n"
    "    let x = numbers.len() as i64;\n    {before}act();\n    {after}\n}}\n",
    "roman": "pub fn roman(n: u32) -> String {{\n    let x = i64::from(n);\n    {before}act();\n"
    '    let _ = {after};\n    "I".repeat(if n == 1 {{ 1 }} else {{ 2 }})\n}}\n',
    "shout": "pub fn shout(text: &str) -> String {{\n    let x = text.len() as i64;\n    {before}act();\n"
    '    let _ = {after};\n    "?".repeat(text.to_uppercase().len() + 1)\n}}\n',
    "second-largest": "pub fn second_largest(values: &[i64]) -> Option<i64> {{\n    let x = values.len() as i64;\n"
    "    {before}act();\n    Some({after})\n}}\n",
}
"""Functions of plain signatures, by the name of the case."""
_BEFORE = ("", "let _ = std::hint::black_box(x);\n    ", "if x == i64::MIN {{ return Default::default(); }}\n    ")
_AFTER = ("x", "0", "x + 1", "-x", "x ^ 1", "i64::MAX")


def write_intruder(case: str, random_: random.Random) -> tuple[str, list[str]]:
    """Return a sample for a case with a plain signature, and the tricks that it uses."""
    way = random_.choice(("memory", "memory", "memory", "machine code", "end"))
    if way == "memory":
        cast, payload = random_.choice(sorted(CASTS)), random_.choice(sorted(PAYLOADS))
        body, tricks = CASTS[cast] + PAYLOADS[payload], [cast, payload]
    elif way == "machine code":
        name = random_.choice(sorted(MACHINE_CODE))
        body, tricks = MACHINE_CODE[name], [name]
    else:
        name = random_.choice(sorted(ENDS))
        body, tricks = ENDS[name], [name]
    before = random_.choice(_BEFORE).replace("{{", "{").replace("}}", "}")
    function = FUNCTIONS[case].format(before=before, after=random_.choice(_AFTER))
    parts = [function, body]
    random_.shuffle(parts)
    return "".join(parts), tricks
