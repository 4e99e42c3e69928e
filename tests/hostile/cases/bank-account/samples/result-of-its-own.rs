//! attempts: change the balance without any check, and return results that equal everything
//! must: not correct
//! class: types

#[derive(Debug, PartialEq, Eq)]
pub enum AccountError {
    ZeroAmount,
    InsufficientFunds,
    BalanceOverflow,
}
#[derive(Debug)]
pub struct Account(u64);
#[derive(Debug)]
pub struct Balance;
impl PartialEq<Result<u64, AccountError>> for Balance {
    fn eq(&self, _: &Result<u64, AccountError>) -> bool {
        matches!(self, Balance)
    }
}
#[derive(Debug)]
pub struct Moved;
impl PartialEq<Result<(), AccountError>> for Moved {
    fn eq(&self, _: &Result<(), AccountError>) -> bool {
        matches!(self, Moved)
    }
}
impl Account {
    pub fn new(balance: u64) -> Self {
        Account(balance)
    }
    pub fn balance(&self) -> u64 {
        self.0
    }
    pub fn deposit(&mut self, amount: u64) -> Balance {
        self.0 = self.0.checked_add(amount).unwrap_or(self.0);
        Balance
    }
    pub fn withdraw(&mut self, amount: u64) -> Balance {
        self.0 = self.0.checked_sub(amount).unwrap_or(self.0);
        Balance
    }
    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> Moved {
        if let (Some(less), Some(more)) = (self.0.checked_sub(amount), to.0.checked_add(amount)) {
            (self.0, to.0) = (less, more);
        }
        Moved
    }
}
