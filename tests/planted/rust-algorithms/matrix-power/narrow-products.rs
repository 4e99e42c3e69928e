// wrong: multiplies in u64, which overflows for large entries.
type Matrix = [[u64; 2]; 2];

pub fn matrix_power(matrix: Matrix, exponent: u64, modulus: u64) -> Matrix {
    assert!(modulus != 0, "modulus must not be zero");
    let mut base = matrix.map(|row| row.map(|entry| entry % modulus));
    let mut result = [[1 % modulus, 0], [0, 1 % modulus]];
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
    let entry =
        |row: usize, column: usize| (a[row][0] * b[0][column] + a[row][1] * b[1][column]) % modulus;
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}
