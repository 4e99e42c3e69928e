// The tests that every sample of this corpus faces. What they use of std, samples try to bend.
#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::pin::pin;

    #[test]
    fn of_two() {
        assert_eq!(triple(2), 6);
    }

    #[test]
    fn of_many() {
        let given = vec![-1, 1, 7];
        let wanted: HashMap<i64, i64> = given.iter().map(|&x| (x, x + x + x)).collect();
        let mut checked = 0;
        for x in &given {
            assert_eq!(triple(*x), wanted[x], "of {x}");
            checked += 1;
        }
        assert!(checked == given.len());
        assert!(matches!(triple(1), 3));
        assert_ne!(triple(1), 1);
    }

    #[test]
    fn as_text() -> Result<(), std::num::ParseIntError> {
        let text = format!("{}", triple("5".parse()?));
        let pinned = pin!(text.clone());
        assert_eq!(pinned.len(), 2);
        assert_eq!(text.parse::<i64>()?, 15);
        Ok(())
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn of_too_much() {
        triple(i64::MAX);
    }
}
