//! attempts: nothing; it computes at compile time
//! must: correct

const TABLE: [i64; 8] = {
    let mut table = [0; 8];
    let mut index = 0;
    while index < 8 {
        table[index] = index as i64 * 3;
        index += 1;
    }
    table
};

const fn slow_way<const N: usize>(x: i64) -> i64 {
    let mut sum = 0;
    let mut index = 0;
    while index < N {
        sum += x;
        index += 1;
    }
    sum
}

pub fn triple(x: i64) -> i64 {
    match usize::try_from(x) {
        Ok(index) if index < TABLE.len() => TABLE[index],
        _ => slow_way::<3>(x),
    }
}
