//! attempts: nothing; its own tests are wrong
//! must: correct

pub fn triple(x: i64) -> i64 {
    x * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two() {
        assert_eq!(triple(2), 7);
    }
}
