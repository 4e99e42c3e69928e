// wrong: uses u32::MAX for "not reached", although paths can be longer.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub fn shortest_path(
    node_count: usize,
    edges: &[(usize, usize, u32)],
    from: usize,
    to: usize,
) -> Option<(u64, Vec<usize>)> {
    let infinity = u32::MAX as u64;
    let mut graph = vec![vec![]; node_count];
    for &(a, b, w) in edges {
        graph[a].push((b, w as u64));
    }
    let mut distances = vec![infinity; node_count];
    let mut parents = vec![usize::MAX; node_count];
    let mut heap = BinaryHeap::new();
    distances[from] = 0;
    heap.push(Reverse((0u64, from)));
    while let Some(Reverse((d, node))) = heap.pop() {
        if d > distances[node] {
            continue;
        }
        for &(next, w) in &graph[node] {
            if d + w < distances[next] {
                distances[next] = d + w;
                parents[next] = node;
                heap.push(Reverse((d + w, next)));
            }
        }
    }
    if distances[to] == infinity {
        return None;
    }
    let mut path = vec![to];
    let mut node = to;
    while node != from {
        node = parents[node];
        path.push(node);
    }
    path.reverse();
    Some((distances[to], path))
}
