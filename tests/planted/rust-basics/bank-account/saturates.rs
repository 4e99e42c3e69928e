// wrong: saturates at u64::MAX instead of refusing the deposit.
#[derive(Debug, PartialEq, Eq)]
pub enum AccountError {
    ZeroAmount,
    InsufficientFunds,
    BalanceOverflow,
}

#[derive(Debug)]
pub struct Account {
    balance: u64,
}

impl Account {
    pub fn new(balance: u64) -> Self {
        Self { balance }
    }

    pub fn balance(&self) -> u64 {
        self.balance
    }

    pub fn deposit(&mut self, amount: u64) -> Result<u64, AccountError> {
        self.balance = self.after_deposit(amount)?;
        Ok(self.balance)
    }

    pub fn withdraw(&mut self, amount: u64) -> Result<u64, AccountError> {
        self.balance = self.after_withdrawal(amount)?;
        Ok(self.balance)
    }

    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> Result<(), AccountError> {
        let remaining = self.after_withdrawal(amount)?;
        to.deposit(amount)?;
        self.balance = remaining;
        Ok(())
    }

    fn after_deposit(&self, amount: u64) -> Result<u64, AccountError> {
        if amount == 0 {
            return Err(AccountError::ZeroAmount);
        }
        Ok(self.balance.saturating_add(amount))
    }

    fn after_withdrawal(&self, amount: u64) -> Result<u64, AccountError> {
        if amount == 0 {
            return Err(AccountError::ZeroAmount);
        }
        self.balance
            .checked_sub(amount)
            .ok_or(AccountError::InsufficientFunds)
    }
}
