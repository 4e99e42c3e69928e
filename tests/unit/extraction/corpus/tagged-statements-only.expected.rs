let x = 5;
println!("{x}");
