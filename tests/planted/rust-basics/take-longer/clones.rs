// wrong: clones the strings that it returns instead of moving them.
pub fn take_longer(words: &mut Vec<String>, max_chars: usize) -> Vec<String> {
    let longer: Vec<String> = words
        .iter()
        .filter(|word| word.chars().count() > max_chars)
        .cloned()
        .collect();
    words.retain(|word| word.chars().count() <= max_chars);
    longer
}
