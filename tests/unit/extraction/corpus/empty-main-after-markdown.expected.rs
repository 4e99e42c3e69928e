pub fn longest(words: &[&str]) -> usize {
    words.iter().map(|word| word.len()).max().unwrap_or(0)
}

fn main() {
    // nothing to do
}
