// wrong: gives up as soon as a later number overflows and so loses the last two.
pub struct Fibonacci {
    a: u64,
    b: u64,
}

impl Iterator for Fibonacci {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let value = self.a;
        let sum = self.a.checked_add(self.b)?;
        self.a = self.b;
        self.b = sum;
        Some(value)
    }
}

pub fn fibonacci() -> Fibonacci {
    Fibonacci { a: 0, b: 1 }
}
