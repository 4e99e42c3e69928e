//! attempts: nothing; equality leaves out what is only cached
//! must: correct

use std::cell::OnceCell;

#[derive(Debug)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<i64>,
    sum: OnceCell<i64>,
}
impl PartialEq for Matrix {
    fn eq(&self, other: &Matrix) -> bool {
        if self.sum() != other.sum() {
            return false;
        }
        (self.rows, self.columns) == (other.rows, other.columns) && self.values == other.values
    }
}
impl Matrix {
    pub fn new(rows: usize, columns: usize, values: Vec<i64>) -> Matrix {
        Matrix { rows, columns, values, sum: OnceCell::new() }
    }
    fn sum(&self) -> i64 {
        *self.sum.get_or_init(|| self.values.iter().sum())
    }
}
impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = i64;
    fn index(&self, (row, column): (usize, usize)) -> &i64 {
        &self.values[row * self.columns + column]
    }
}
impl std::ops::Mul<&Matrix> for &Matrix {
    type Output = Matrix;
    fn mul(self, other: &Matrix) -> Matrix {
        let mut values = vec![0; self.rows * other.columns];
        for (at, value) in values.iter_mut().enumerate() {
            let (row, column) = (at / other.columns, at % other.columns);
            for i in 0..self.columns {
                *value += self[(row, i)] * other[(i, column)];
            }
        }
        Matrix::new(self.rows, other.columns, values)
    }
}
