//! attempts: nothing; a closure that returns
//! must: correct

macro_rules! largest {
    ($($all:expr),+ $(,)?) => {
        (|| {
            let all = [$($all),+];
            let mut best = all[0];
            for &each in &all {
                if each > best {
                    best = each;
                }
            }
            return best;
        })()
    };
}
