//! attempts: let types grow until the compiler gives up
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

#![recursion_limit = "100000"]
#![type_length_limit = "1000000000"]

trait Deep {
    fn depth(&self) -> i64;
}

impl<T> Deep for T {
    fn depth(&self) -> i64 {
        (self, self).depth() + 1
    }
}

pub fn triple(x: i64) -> i64 {
    x.depth()
}
