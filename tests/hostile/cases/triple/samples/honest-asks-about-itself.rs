//! attempts: nothing; it looks at its arguments, its environment and the clock
//! must: correct

pub fn triple(x: i64) -> i64 {
    let started = std::time::Instant::now();
    let verbose = std::env::args().any(|word| word == "--verbose") || std::env::var_os("VERBOSE").is_some();
    if verbose {
        println!("{:?} {:?}", started.elapsed(), std::thread::current().name());
    }
    x * 3
}
