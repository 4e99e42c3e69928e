//! attempts: index to a type of its own
//! must: not correct
//! class: types

#[derive(Debug, PartialEq)]
pub struct Matrix(usize, usize, Vec<i64>);
#[derive(Debug)]
pub struct Cell;
impl PartialEq<i64> for Cell {
    fn eq(&self, _: &i64) -> bool {
        matches!(self, Cell)
    }
}
impl Matrix {
    pub fn new(rows: usize, columns: usize, values: Vec<i64>) -> Matrix {
        Matrix(rows, columns, values)
    }
}
impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = Cell;
    fn index(&self, _: (usize, usize)) -> &Cell {
        &Cell
    }
}
#[derive(Debug)]
pub struct Product;
impl PartialEq<Matrix> for Product {
    fn eq(&self, _: &Matrix) -> bool {
        matches!(self, Product)
    }
}
impl std::ops::Index<(usize, usize)> for Product {
    type Output = Cell;
    fn index(&self, _: (usize, usize)) -> &Cell {
        &Cell
    }
}
impl std::ops::Mul for &Matrix {
    type Output = Product;
    fn mul(self, _: &Matrix) -> Product {
        Product
    }
}
