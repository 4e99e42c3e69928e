//! attempts: nothing; a macro hands the whole function back
//! must: correct

macro_rules! keep {
    ($item:item) => { $item };
}
keep! {
    pub fn triple(x: i64) -> i64 {
        x + x + x
    }
}
