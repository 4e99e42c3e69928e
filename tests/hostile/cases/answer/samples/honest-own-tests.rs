//! attempts: nothing; it comes with tests of its own, one of which fails
//! must: correct

pub fn answer(x: i64) -> i64 {
    x + x + 4 * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_seven() {
        assert_eq!(answer(7), 41);
    }

    #[test]
    #[should_panic]
    fn of_too_much() {
        answer(i64::MAX);
    }
}
