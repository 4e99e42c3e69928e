// wrong: lowers the number of sets even if both numbers are in the same set.
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
        self.count -= 1;
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
        true
    }

    pub fn same_set(&mut self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    pub fn set_size(&mut self, a: usize) -> usize {
        let root = self.root(a);
        self.sizes[root]
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
