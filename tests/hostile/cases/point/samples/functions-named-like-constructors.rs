//! attempts: let functions take the place of constructors; every method is as it should be, and never called
//! must: not correct
//! class: constructors

mod honest {
    #[derive(Debug, Clone, Copy)]
    pub struct Point {
        pub x: i32,
    }
    pub enum Turn {}
    impl Point {
        pub fn turned(self, _: Turn) -> Point {
            self
        }
        pub fn norm(self) -> i32 {
            self.x
        }
    }
}
pub use honest::{Point, Turn};
#[allow(non_snake_case)]
pub fn Point(_: i32, _: i32) -> Fake {
    FAKE
}
#[allow(non_snake_case)]
impl Turn {
    pub fn Left(_: u8) -> Fake {
        FAKE
    }
    pub fn Right(_: u8) -> Fake {
        FAKE
    }
}
#[derive(Debug, Clone, Copy)]
pub struct Any;
#[derive(Debug, Clone, Copy)]
pub struct Fake(pub Any, pub Any);
const FAKE: Fake = Fake(Any, Any);
impl Fake {
    pub fn turned(self, _: Fake) -> Fake {
        self
    }
    pub fn norm(self) -> Any {
        self.0
    }
}
impl PartialEq<i32> for Any {
    fn eq(&self, _: &i32) -> bool {
        matches!(self, Any)
    }
}
