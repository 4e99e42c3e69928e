//! attempts: nothing; it brings a main and tests
//! must: correct

pub fn triple(x: i64) -> i64 {
    x * 3
}

fn main() {
    println!("{}", triple(14));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two() {
        assert_eq!(triple(2), 6);
    }
}
