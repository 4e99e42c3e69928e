// wrong: stops after as many steps as there are employees and returns the circle instead of None.
pub struct Employee {
    pub name: String,
    pub manager: Option<usize>,
}

pub fn chain_of_command(staff: &[Employee], start: usize) -> Option<Vec<&str>> {
    let mut chain = Vec::new();
    let mut current = staff.get(start)?;
    for _ in 0..staff.len() {
        chain.push(current.name.as_str());
        match current.manager {
            Some(index) => current = staff.get(index)?,
            None => break,
        }
    }
    Some(chain)
}
