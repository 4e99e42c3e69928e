//! attempts: nothing; it has modules named like those of std
//! must: correct

mod fmt {
    pub fn show(x: i64) -> String {
        format!("{x}")
    }
}
mod collections {
    pub type List = Vec<i64>;
}
mod num {
    pub const THREE: i64 = 3;
}

pub fn triple(x: i64) -> i64 {
    let list: collections::List = fmt::show(x).parse().into_iter().collect();
    list[0] * num::THREE
}
