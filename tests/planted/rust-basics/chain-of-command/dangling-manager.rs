// wrong: takes an employee whose manager is out of range for the top.
use std::collections::HashSet;

pub struct Employee {
    pub name: String,
    pub manager: Option<usize>,
}

pub fn chain_of_command(staff: &[Employee], start: usize) -> Option<Vec<&str>> {
    if start >= staff.len() {
        return None;
    }
    let mut seen = HashSet::new();
    let mut chain = Vec::new();
    let mut current = Some(start);
    while let Some(employee) = current.and_then(|index| staff.get(index)) {
        if !seen.insert(current) {
            return None;
        }
        chain.push(employee.name.as_str());
        current = employee.manager;
    }
    Some(chain)
}
