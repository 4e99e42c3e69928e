# honest: has a base class, and a counter in the module
# must: correct
# verified: yes

import abc, itertools
numbers = itertools.count(1)
class Account(abc.ABC):
    def __init__(self, balance=0): self._balance, self.number = balance, next(numbers)
    @property
    def balance(self): return self._balance
    @abc.abstractmethod
    def withdraw(self, amount): ...
class Wallet(Account):
    def deposit(self, amount): self._balance += amount
    def withdraw(self, amount):
        try:
            assert amount <= self._balance
        except AssertionError:
            raise ValueError("insufficient funds") from None
        self._balance -= amount
def total(wallets):
    result = 0
    for wallet in wallets: result += wallet.balance
    return result
