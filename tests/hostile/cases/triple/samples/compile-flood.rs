//! attempts: let the compiler print without end
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

macro_rules! flood {
    ($name:ident) => {
        flood!($name a a a a a a a a a a);
    };
    ($name:ident $($each:ident)*) => {
        $(flood!(@ $name $each a a a a a a a a a a a a a a a a a a a a);)*
    };
    (@ $name:ident $each:ident $($more:ident)*) => {
        $(flood!(% $name $more a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a);)*
    };
    (% $name:ident $each:ident $($more:ident)*) => {
        $(const _: () = { $more; compile_error!("the same again, and again, and again, and again") };)*
    };
}
flood!(all);

pub fn triple(x: i64) -> i64 {
    x * 3
}
