pub fn check() {
    let text = String::new();
    drop(text);
    println!("{text}");
}
