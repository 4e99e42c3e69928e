//! attempts: nothing; by a table
//! must: correct

const TABLE: [(u32, &str); 13] = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
];
pub fn roman(mut n: u32) -> String {
    let mut text = String::new();
    for (value, letters) in TABLE {
        while n >= value {
            text.push_str(letters);
            n -= value;
        }
    }
    text
}
