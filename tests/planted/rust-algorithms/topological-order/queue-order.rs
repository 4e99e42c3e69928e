// wrong: takes ready nodes first in, first out, which is not the smallest order.
use std::collections::VecDeque;

pub fn topological_order(node_count: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut adjacency = vec![Vec::new(); node_count];
    let mut in_degree = vec![0; node_count];
    for &(a, b) in edges {
        adjacency[a].push(b);
        in_degree[b] += 1;
    }
    let mut queue: VecDeque<usize> = (0..node_count).filter(|&n| in_degree[n] == 0).collect();
    let mut order = Vec::new();
    while let Some(node) = queue.pop_front() {
        order.push(node);
        for &next in &adjacency[node] {
            in_degree[next] -= 1;
            if in_degree[next] == 0 {
                queue.push_back(next);
            }
        }
    }
    if order.len() == node_count {
        Some(order)
    } else {
        None
    }
}
