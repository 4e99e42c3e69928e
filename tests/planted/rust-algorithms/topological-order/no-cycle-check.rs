// wrong: returns the nodes outside the cycle instead of None.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub fn topological_order(node_count: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut successors = vec![Vec::new(); node_count];
    let mut waiting_for = vec![0_usize; node_count];
    for &(before, after) in edges {
        successors[before].push(after);
        waiting_for[after] += 1;
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..node_count)
        .filter(|&node| waiting_for[node] == 0)
        .map(Reverse)
        .collect();
    let mut order = Vec::with_capacity(node_count);
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for &next in &successors[node] {
            waiting_for[next] -= 1;
            if waiting_for[next] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    Some(order)
}
