//! attempts: call what the harness might be called
//! must: not correct
//! unnamed: a name that is not there is an ordinary mistake

#[allow(unused_imports)]
use crate::{forgetest as _, glue as _, sample_tests as _, tests as _};
pub fn triple(x: i64) -> i64 {
    x
}
