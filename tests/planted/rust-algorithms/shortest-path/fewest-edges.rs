// wrong: searches breadth-first and returns the path with the fewest edges.
use std::collections::VecDeque;

pub fn shortest_path(
    node_count: usize,
    edges: &[(usize, usize, u32)],
    from: usize,
    to: usize,
) -> Option<(u64, Vec<usize>)> {
    let mut adjacency = vec![Vec::new(); node_count];
    for &(a, b, w) in edges {
        adjacency[a].push((b, w));
    }
    let mut previous = vec![None; node_count];
    let mut distance = vec![None; node_count];
    distance[from] = Some(0u64);
    let mut queue = VecDeque::new();
    queue.push_back(from);
    while let Some(node) = queue.pop_front() {
        for &(next, w) in &adjacency[node] {
            if distance[next].is_none() {
                distance[next] = distance[node].map(|d| d + w as u64);
                previous[next] = Some(node);
                queue.push_back(next);
            }
        }
    }
    let total = distance[to]?;
    let mut path = vec![to];
    let mut node = to;
    while let Some(p) = previous[node] {
        path.push(p);
        node = p;
    }
    path.reverse();
    Some((total, path))
}
