//! attempts: nothing; lines end as on Windows
//! must: correct

pub fn shout(text: &str) -> String {
    let mut loud = text.to_uppercase();
    loud.push('!');
    loud
}
