// wrong: marks a node as visited when it is queued, so a shorter way found later is ignored.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub fn shortest_path(
    node_count: usize,
    edges: &[(usize, usize, u32)],
    from: usize,
    to: usize,
) -> Option<(u64, Vec<usize>)> {
    let mut visited = vec![false; node_count];
    let mut heap = BinaryHeap::new();
    let mut graph = vec![Vec::new(); node_count];
    for &(a, b, w) in edges {
        graph[a].push((b, u64::from(w)));
    }
    let mut parent = vec![None; node_count];
    heap.push(Reverse((0u64, from)));
    visited[from] = true;
    while let Some(Reverse((distance, node))) = heap.pop() {
        if node == to {
            let mut path = vec![to];
            let mut current = to;
            while let Some(p) = parent[current] {
                path.push(p);
                current = p;
            }
            path.reverse();
            return Some((distance, path));
        }
        for &(next, w) in &graph[node] {
            if !visited[next] {
                visited[next] = true;
                parent[next] = Some(node);
                heap.push(Reverse((distance + w, next)));
            }
        }
    }
    None
}
