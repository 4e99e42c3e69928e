//! attempts: nothing; a macro passes the function on as it is
//! must: correct
//! verified: yes

macro_rules! documented {
    ($($text:literal)* => $item:item) => {
        $(#[doc = $text])*
        $item
    };
}

documented! {
    "Three times a number." "Panics on overflow." =>
    pub fn triple(x: i64) -> i64 {
        x.checked_mul(3).expect("overflow")
    }
}
