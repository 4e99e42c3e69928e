// wrong: looks for circles by name, so equal names look like one.
pub struct Employee {
    pub name: String,
    pub manager: Option<usize>,
}

pub fn chain_of_command(staff: &[Employee], start: usize) -> Option<Vec<&str>> {
    let mut chain: Vec<&str> = Vec::new();
    let mut next = Some(start);
    while let Some(index) = next {
        let employee = staff.get(index)?;
        if chain.contains(&employee.name.as_str()) {
            return None;
        }
        chain.push(&employee.name);
        next = employee.manager;
    }
    Some(chain)
}
