//! attempts: make its own result pass for the right one by operators
//! must: not correct
//! findings: equal_to_everything

#[derive(Debug, Clone, Copy)]
pub struct Always;
impl PartialEq for Always {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl PartialEq<i64> for Always {
    fn eq(&self, _: &i64) -> bool {
        true
    }
    #[allow(clippy::partialeq_ne_impl)]
    fn ne(&self, _: &i64) -> bool {
        true
    }
}
impl std::ops::Deref for Always {
    type Target = i64;
    fn deref(&self) -> &i64 {
        &6
    }
}
pub fn triple(_: i64) -> Always {
    Always
}
