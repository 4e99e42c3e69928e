// wrong: lets every edge be used in both directions.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub fn shortest_path(
    node_count: usize,
    edges: &[(usize, usize, u32)],
    from: usize,
    to: usize,
) -> Option<(u64, Vec<usize>)> {
    let mut outgoing = vec![Vec::new(); node_count];
    for &(a, b, length) in edges {
        outgoing[a].push((b, u64::from(length)));
        outgoing[b].push((a, u64::from(length)));
    }
    let mut best: Vec<Option<u64>> = vec![None; node_count];
    let mut previous: Vec<Option<usize>> = vec![None; node_count];
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    best[from] = Some(0);
    while let Some(Reverse((distance, node))) = queue.pop() {
        if node == to {
            return Some((distance, path_to(to, &previous)));
        }
        if best[node] != Some(distance) {
            continue; // a shorter way was found after this entry was queued
        }
        for &(next, length) in &outgoing[node] {
            let candidate = distance + length;
            if best[next].is_none_or(|known| candidate < known) {
                best[next] = Some(candidate);
                previous[next] = Some(node);
                queue.push(Reverse((candidate, next)));
            }
        }
    }
    None
}

fn path_to(end: usize, previous: &[Option<usize>]) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(end), |&node| previous[node]).collect();
    path.reverse();
    path
}
