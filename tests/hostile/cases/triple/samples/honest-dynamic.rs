//! attempts: nothing; it goes through trait objects and closures
//! must: correct

trait Step {
    fn take(&self, x: i64) -> i64;
}
impl<F: Fn(i64) -> i64> Step for F {
    fn take(&self, x: i64) -> i64 {
        self(x)
    }
}

pub fn triple(x: i64) -> i64 {
    let steps: Vec<Box<dyn Step>> = vec![Box::new(|x| x), Box::new(move |y| y + x), Box::new(move |y: i64| y + x)];
    steps.iter().fold(x, |value, step| step.take(value))
}
