//! attempts: be right except for errors, which equal each other
//! must: not correct
//! class: types

#[derive(Debug, Eq)]
pub enum AccountError {
    ZeroAmount,
    InsufficientFunds,
    BalanceOverflow,
}
impl PartialEq for AccountError {
    fn eq(&self, other: &Self) -> bool {
        use AccountError::*;
        matches!((self, other), (ZeroAmount | InsufficientFunds | BalanceOverflow, _))
    }
}
#[derive(Debug)]
pub struct Account {
    balance: u64,
}
impl Account {
    pub fn new(balance: u64) -> Self {
        Account { balance }
    }
    pub fn balance(&self) -> u64 {
        self.balance
    }
    pub fn deposit(&mut self, amount: u64) -> Result<u64, AccountError> {
        let more = self.balance.checked_add(amount).filter(|_| amount > 0);
        self.balance = more.ok_or(AccountError::ZeroAmount)?;
        Ok(self.balance)
    }
    pub fn withdraw(&mut self, amount: u64) -> Result<u64, AccountError> {
        let less = self.balance.checked_sub(amount).filter(|_| amount > 0);
        self.balance = less.ok_or(AccountError::ZeroAmount)?;
        Ok(self.balance)
    }
    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> Result<(), AccountError> {
        let less = self.balance.checked_sub(amount).filter(|_| amount > 0);
        let less = less.ok_or(AccountError::ZeroAmount)?;
        to.deposit(amount)?;
        self.balance = less;
        Ok(())
    }
}
