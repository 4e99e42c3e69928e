//! attempts: nothing; every change goes through one function
//! must: correct

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
pub enum AccountError {
    ZeroAmount,
    InsufficientFunds,
    BalanceOverflow,
}
#[derive(Debug)]
pub struct Account(u64);
fn positive(amount: u64) -> Result<u64, AccountError> {
    if amount == 0 { Err(AccountError::ZeroAmount) } else { Ok(amount) }
}
impl Account {
    pub fn new(balance: u64) -> Self {
        Self(balance)
    }
    pub fn balance(&self) -> u64 {
        let Self(balance) = *self;
        balance
    }
    pub fn deposit(&mut self, amount: u64) -> Result<u64, AccountError> {
        let sum = self.0.checked_add(positive(amount)?).ok_or(AccountError::BalanceOverflow)?;
        self.0 = sum;
        Ok(sum)
    }
    pub fn withdraw(&mut self, amount: u64) -> Result<u64, AccountError> {
        self.0 = self.0.checked_sub(positive(amount)?).ok_or(AccountError::InsufficientFunds)?;
        Ok(self.0)
    }
    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> Result<(), AccountError> {
        let before = self.0;
        self.withdraw(amount)?;
        to.deposit(amount).map(drop).inspect_err(|_| self.0 = before)
    }
}
