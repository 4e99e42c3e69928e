// wrong: counts bytes instead of characters.
pub fn take_longer(words: &mut Vec<String>, max_chars: usize) -> Vec<String> {
    let (longer, shorter): (Vec<String>, Vec<String>) =
        words.drain(..).partition(|word| word.len() > max_chars);
    *words = shorter;
    longer
}
