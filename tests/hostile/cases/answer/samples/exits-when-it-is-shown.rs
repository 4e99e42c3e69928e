//! attempts: exit with success while its wrong answer is compared
//! must: not correct
//! class: exits
//! note: stopped before there were controls, too: only our own code reports, and it reports what happened

static OFTEN: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
pub fn answer(x: i64) -> i64 {
    struct AtTheEnd;
    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            if OFTEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 0 {
                std::process::exit(0);
            }
        }
    }
    let _first = AtTheEnd;
    let _second = AtTheEnd;
    x
}
