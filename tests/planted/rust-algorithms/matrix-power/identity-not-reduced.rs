// wrong: does not reduce the identity, so the power 0 modulo 1 has ones.
type Matrix = [[u64; 2]; 2];

pub fn matrix_power(matrix: Matrix, exponent: u64, modulus: u64) -> Matrix {
    assert!(modulus != 0, "modulus must not be zero");
    let mut base = matrix.map(|row| row.map(|entry| entry % modulus));
    let mut result = [[1, 0], [0, 1]];
    let mut exponent = exponent;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = product(&result, &base, modulus);
        }
        base = product(&base, &base, modulus);
        exponent /= 2;
    }
    result
}

fn product(a: &Matrix, b: &Matrix, modulus: u64) -> Matrix {
    let modulus = u128::from(modulus);
    let entry = |row: usize, column: usize| {
        let sum: u128 = (0..2)
            .map(|k| u128::from(a[row][k]) * u128::from(b[k][column]) % modulus)
            .sum();
        (sum % modulus) as u64
    };
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}
