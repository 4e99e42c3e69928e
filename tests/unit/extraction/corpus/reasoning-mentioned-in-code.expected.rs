pub fn strip(text: &str) -> &str {
    match text.find("</think>") {
        Some(at) => &text[at + 8..], // behind </think>
        None => text,
    }
}
