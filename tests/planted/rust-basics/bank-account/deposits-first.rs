// wrong: deposits before it looks at the funds, so overflow is reported first and a failed transfer keeps the deposit.
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
        to.deposit(amount)?;
        self.withdraw(amount)?;
        Ok(())
    }

    fn after_deposit(&self, amount: u64) -> Result<u64, AccountError> {
        if amount == 0 {
            return Err(AccountError::ZeroAmount);
        }
        self.balance
            .checked_add(amount)
            .ok_or(AccountError::BalanceOverflow)
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
