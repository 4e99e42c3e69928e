//! attempts: nothing; the methods come from a macro
//! must: correct

pub struct Circle {
    radius: f64,
}
macro_rules! methods {
    ($($name:ident = |$this:ident| $body:expr;)*) => {
        impl Circle {
            $(pub fn $name(&self) -> f64 {
                let $this = self;
                $body
            })*
        }
    };
}
methods! {
    area = |this| std::f64::consts::PI * this.radius.powi(2);
    radius = |this| this.radius;
}
impl Circle {
    pub fn new(radius: f64) -> Circle {
        Circle { radius }
    }
}
