pub fn check() {}
#[cfg(test)]
mod own {
    #[test]
    fn holds() {
        let v = vec![1];
        assert!(v.len() > 0);
    }
}
