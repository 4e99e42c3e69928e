// wrong: finds the root by recursion and joins without regard to size, so a long chain overflows the stack.
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
        let (small, large) = (a, b);
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
        self.count -= 1;
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

    fn root(&mut self, node: usize) -> usize {
        if self.parents[node] != node {
            let root = self.root(self.parents[node]);
            self.parents[node] = root;
        }
        self.parents[node]
    }
}
