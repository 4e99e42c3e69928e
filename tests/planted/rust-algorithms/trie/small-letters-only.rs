// wrong: has room for the letters a to z only.
#[derive(Default)]
pub struct Trie {
    children: [Option<Box<Trie>>; 26],
    end: bool,
}

impl Trie {
    pub fn new() -> Self {
        Trie::default()
    }

    pub fn insert(&mut self, word: &str) -> bool {
        let mut node = self;
        for byte in word.bytes() {
            let index = (byte - b'a') as usize;
            node = node.children[index].get_or_insert_with(Box::default);
        }
        let added = !node.end;
        node.end = true;
        added
    }

    pub fn contains(&self, word: &str) -> bool {
        self.node(word).map_or(false, |node| node.end)
    }

    pub fn with_prefix(&self, prefix: &str) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(node) = self.node(prefix) {
            node.walk(prefix, &mut words);
        }
        words
    }

    fn node(&self, prefix: &str) -> Option<&Trie> {
        let mut node = self;
        for byte in prefix.bytes() {
            node = node.children[(byte - b'a') as usize].as_deref()?;
        }
        Some(node)
    }

    fn walk(&self, path: &str, words: &mut Vec<String>) {
        if self.end {
            words.push(path.to_string());
        }
        for (i, child) in self.children.iter().enumerate() {
            if let Some(child) = child {
                let next = format!("{}{}", path, (b'a' + i as u8) as char);
                child.walk(&next, words);
            }
        }
    }
}
