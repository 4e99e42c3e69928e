let a = 2;
let b = 3;
println!("{}", a + b);
