// wrong: refuses to pay out exactly the whole balance.
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
        Account { balance }
    }

    pub fn balance(&self) -> u64 {
        self.balance
    }

    pub fn deposit(&mut self, amount: u64) -> Result<u64, AccountError> {
        if amount == 0 {
            return Err(AccountError::ZeroAmount);
        }
        match self.balance.checked_add(amount) {
            Some(balance) => {
                self.balance = balance;
                Ok(balance)
            }
            None => Err(AccountError::BalanceOverflow),
        }
    }

    pub fn withdraw(&mut self, amount: u64) -> Result<u64, AccountError> {
        if amount == 0 {
            return Err(AccountError::ZeroAmount);
        }
        if amount >= self.balance {
            return Err(AccountError::InsufficientFunds);
        }
        self.balance -= amount;
        Ok(self.balance)
    }

    pub fn transfer(&mut self, to: &mut Account, amount: u64) -> Result<(), AccountError> {
        self.withdraw(amount)?;
        if let Err(error) = to.deposit(amount) {
            self.balance += amount;
            return Err(error);
        }
        Ok(())
    }
}
