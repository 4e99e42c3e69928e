//! attempts: be right except for products, which are of a type of their own
//! must: not correct
//! class: types

#[derive(Debug, PartialEq)]
pub struct Matrix {
    columns: usize,
    values: Vec<i64>,
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
#[derive(Debug)]
pub struct Product;
#[derive(Debug)]
pub struct Entry;
impl PartialEq<i64> for Entry {
    fn eq(&self, _: &i64) -> bool {
        matches!(self, Entry)
    }
}
impl PartialEq<Matrix> for Product {
    fn eq(&self, other: &Matrix) -> bool {
        matches!(self, Product) && !other.values.is_empty()
    }
}
impl std::ops::Index<(usize, usize)> for Product {
    type Output = Entry;
    fn index(&self, _: (usize, usize)) -> &Entry {
        &Entry
    }
}
impl std::ops::Mul for &Matrix {
    type Output = Product;
    fn mul(self, _: &Matrix) -> Product {
        Product
    }
}
