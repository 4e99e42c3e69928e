//! attempts: nothing; its main exits
//! must: correct

pub fn answer(x: i64) -> i64 {
    6 * x
}

fn main() {
    let x = std::env::args().nth(1).and_then(|text| text.parse().ok());
    match x {
        Some(x) => println!("{}", answer(x)),
        None => std::process::exit(2),
    }
}
