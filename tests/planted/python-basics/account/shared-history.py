class InsufficientFunds(ValueError):
    def __init__(self, missing):
        super().__init__(f"{missing} is missing")
        self.missing = missing


class Account:
    _changes = []

    def __init__(self, owner):
        self._owner = owner

    @property
    def owner(self):
        return self._owner

    @property
    def balance(self):
        return sum(self._changes)

    @property
    def history(self):
        return list(self._changes)

    def deposit(self, amount):
        self._check(amount)
        self._changes.append(amount)

    def withdraw(self, amount):
        self._check(amount)
        if amount > self.balance:
            raise InsufficientFunds(amount - self.balance)
        self._changes.append(-amount)

    def _check(self, amount):
        if amount <= 0:
            raise ValueError("the amount must be positive")
