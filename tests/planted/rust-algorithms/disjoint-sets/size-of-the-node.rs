// wrong: returns the size stored at the number itself instead of at its root.
pub struct DisjointSets {
    parents: Vec<usize>,
    sizes: Vec<usize>,
    count: usize,
}

impl DisjointSets {
    pub fn new(n: usize) -> Self {
        Self {
            parents: (0..n).collect(),
            sizes: vec![1; n],
            count: n,
        }
    }

    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return false;
        }
        let (small, large) = if self.sizes[a] < self.sizes[b] {
            (a, b)
        } else {
            (b, a)
        };
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
        self.count -= 1;
        true
    }

    pub fn same_set(&mut self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    pub fn set_size(&mut self, a: usize) -> usize {
        self.sizes[a]
    }

    pub fn set_count(&self) -> usize {
        self.count
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }
}
