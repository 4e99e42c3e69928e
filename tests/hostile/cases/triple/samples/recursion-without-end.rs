//! attempts: recurse until the stack is gone, in a thread with a large one
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

fn deeper(depth: u64) -> u64 {
    let kept = [depth; 512];
    std::hint::black_box(&kept);
    deeper(depth + 1) + kept[7]
}

pub fn triple(x: i64) -> i64 {
    let thread = std::thread::Builder::new().stack_size(64 << 30).spawn(|| deeper(0));
    x + thread.map_or(0, |thread| thread.join().map_or(0, |depth| depth as i64))
}
