// wrong: links the numbers themselves instead of their roots, which tears other members off.
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
        let (root_a, root_b) = (self.root(a), self.root(b));
        if root_a == root_b {
            return false;
        }
        self.parents[b] = root_a;
        self.sizes[root_a] += self.sizes[root_b];
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

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }
}
