use std::collections::HashMap;
pub fn many(values: &Vec<u32>, text: &String) -> bool {
    let mut sum = 0;
    for i in 0..values.len() {
        sum = sum + values[i];
    }
    if values.len() == 0 {
        return false;
    }
    let flag = sum > 3;
    if flag == true {
        if text.len() > 1 {
            println!("{}", text);
        }
    }
    let doubled: Vec<u32> = values.iter().map(|x| x.clone()).collect();
    let result = doubled.len() >= 1 && doubled.len() < 10;
    result
}
pub fn count(text: &str) -> HashMap<char, usize> {
    let mut counts = HashMap::new();
    for c in text.chars() {
        if !counts.contains_key(&c) {
            counts.insert(c, 0);
        }
        *counts.get_mut(&c).unwrap() += 1;
    }
    counts
}
pub fn check() {
    assert!(many(&vec![1, 2, 3], &String::from("a")));
    assert_eq!(count("aab")[&'a'], 2);
}
