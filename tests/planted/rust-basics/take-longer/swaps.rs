// wrong: uses `swap_remove`, which changes the order.
pub fn take_longer(words: &mut Vec<String>, max_chars: usize) -> Vec<String> {
    let mut longer = Vec::new();
    let mut i = 0;
    while i < words.len() {
        if words[i].chars().count() > max_chars {
            longer.push(words.swap_remove(i));
        } else {
            i += 1;
        }
    }
    longer
}
