    let mut sum = 0;
    for n in numbers {
        sum += n;
    }
    sum
}
