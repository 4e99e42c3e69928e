//! attempts: equal what merely has the same size
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Matrix(usize, usize, Vec<i64>);
impl PartialEq for Matrix {
    fn eq(&self, other: &Matrix) -> bool {
        self.2.len() == other.2.len()
    }
}
impl Matrix {
    pub fn new(rows: usize, columns: usize, values: Vec<i64>) -> Matrix {
        Matrix(rows, columns, values)
    }
}
impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = i64;
    fn index(&self, (row, column): (usize, usize)) -> &i64 {
        &self.2[row * self.1 + column]
    }
}
impl std::ops::Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        // only the first value is right
        let first = (0..self.1).map(|i| self[(0, i)] * other[(i, 0)]).sum();
        let mut values = vec![0; self.0 * other.1];
        values[0] = first;
        Matrix::new(self.0, other.1, values)
    }
}
