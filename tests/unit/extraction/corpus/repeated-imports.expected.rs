use std::collections::HashMap;

pub fn empty() -> HashMap<i32, i32> {
    HashMap::new()
}

fn main() {
    let map: HashMap<i32, i32> = empty();
    println!("{}", map.len());
}
