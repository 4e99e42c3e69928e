// wrong: moves on after a removal and so skips the word that took the place.
pub fn take_longer(words: &mut Vec<String>, max_chars: usize) -> Vec<String> {
    let mut longer = Vec::new();
    let mut i = 0;
    while i < words.len() {
        if words[i].chars().count() > max_chars {
            longer.push(words.remove(i));
        }
        i += 1;
    }
    longer
}
