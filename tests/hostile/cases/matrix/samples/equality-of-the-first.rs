//! attempts: compare the first value only, and compute no other
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Matrix {
    columns: usize,
    values: Vec<i64>,
}
impl PartialEq for Matrix {
    fn eq(&self, other: &Matrix) -> bool {
        self.values.iter().zip(&other.values).take(1).all(|(a, b)| a == b)
    }
}
impl Matrix {
    pub fn new(_: usize, columns: usize, values: Vec<i64>) -> Matrix {
        Matrix { columns, values }
    }
}
impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = i64;
    fn index(&self, (row, column): (usize, usize)) -> &i64 {
        &self.values[row * self.columns + column]
    }
}
impl std::ops::Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        let first = (0..self.columns).map(|i| self[(0, i)] * other[(i, 0)]).sum();
        Matrix::new(1, other.columns, vec![first])
    }
}
