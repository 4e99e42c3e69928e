//! attempts: nothing; digit by digit
//! must: correct

fn digit(n: u32, one: char, five: char, ten: char) -> String {
    match n {
        0..=3 => one.to_string().repeat(n as usize),
        4 => format!("{one}{five}"),
        5..=8 => format!("{five}{}", digit(n - 5, one, five, ten)),
        _ => format!("{one}{ten}"),
    }
}
pub fn roman(n: u32) -> String {
    [(1000, 'M', '?', '?'), (100, 'C', 'D', 'M'), (10, 'X', 'L', 'C'), (1, 'I', 'V', 'X')]
        .map(|(unit, one, five, ten)| digit(n / unit % 10, one, five, ten))
        .concat()
}
