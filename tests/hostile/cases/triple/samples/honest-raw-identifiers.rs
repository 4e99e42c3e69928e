//! attempts: nothing; it uses words of the language as names
//! must: correct

#[allow(non_camel_case_types)]
struct r#type {
    r#match: i64,
}

fn r#loop(r#in: &r#type) -> i64 {
    r#in.r#match * 3
}

pub fn triple(x: i64) -> i64 {
    r#loop(&r#type { r#match: x })
}
