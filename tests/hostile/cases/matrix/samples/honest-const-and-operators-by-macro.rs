//! attempts: nothing; operators for all combinations of references by a macro
//! must: correct

use std::ops::{Index, Mul};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    shape: (usize, usize),
    values: Vec<i64>,
}
impl Matrix {
    pub fn new(rows: usize, columns: usize, values: Vec<i64>) -> Matrix {
        assert!(values.len() == rows * columns, "{rows} x {columns} values are needed");
        Matrix { shape: (rows, columns), values }
    }
    fn times(&self, other: &Matrix) -> Matrix {
        let ((rows, inner), (_, columns)) = (self.shape, other.shape);
        let cell = |at: usize| (0..inner).map(|i| self[(at / columns, i)] * other[(i, at % columns)]).sum();
        Matrix::new(rows, columns, (0..rows * columns).map(cell).collect())
    }
}
impl Index<(usize, usize)> for Matrix {
    type Output = i64;
    fn index(&self, at: (usize, usize)) -> &Self::Output {
        &self.values[at.0 * self.shape.1 + at.1]
    }
}
macro_rules! multiply {
    ($($left:ty, $right:ty;)*) => {$(
        impl Mul<$right> for $left {
            type Output = Matrix;
            fn mul(self, other: $right) -> Matrix {
                self.times(&other)
            }
        }
    )*};
}
multiply! {
    Matrix, Matrix;
    Matrix, &Matrix;
    &Matrix, Matrix;
    &Matrix, &Matrix;
}
