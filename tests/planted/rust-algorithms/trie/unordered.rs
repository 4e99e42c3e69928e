// wrong: keeps children in a hash map, so words come out in random order.
use std::collections::HashMap;

#[derive(Default)]
pub struct Trie {
    is_word: bool,
    children: HashMap<char, Trie>,
}

impl Trie {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn insert(&mut self, word: &str) -> bool {
        let mut node = self;
        for c in word.chars() {
            node = node.children.entry(c).or_default();
        }
        !std::mem::replace(&mut node.is_word, true)
    }

    pub fn contains(&self, word: &str) -> bool {
        self.find(word).is_some_and(|node| node.is_word)
    }

    pub fn with_prefix(&self, prefix: &str) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(node) = self.find(prefix) {
            node.collect(&mut prefix.to_string(), &mut words);
        }
        words
    }

    fn find(&self, prefix: &str) -> Option<&Trie> {
        prefix
            .chars()
            .try_fold(self, |node, c| node.children.get(&c))
    }

    fn collect(&self, path: &mut String, words: &mut Vec<String>) {
        if self.is_word {
            words.push(path.clone());
        }
        for (&c, child) in &self.children {
            path.push(c);
            child.collect(path, words);
            path.pop();
        }
    }
}
