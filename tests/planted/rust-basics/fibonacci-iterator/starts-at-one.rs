// wrong: starts with 1, 1 and leaves out the zero.
pub struct Fibonacci {
    current: Option<u64>,
    following: Option<u64>,
}

impl Iterator for Fibonacci {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let value = self.current?;
        let after = self.following.and_then(|n| n.checked_add(value));
        self.current = self.following;
        self.following = after;
        Some(value)
    }
}

pub fn fibonacci() -> Fibonacci {
    Fibonacci {
        current: Some(1),
        following: Some(1),
    }
}
