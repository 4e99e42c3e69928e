# honest: is a dataclass with a property and a class method
# must: correct
# verified: yes

from dataclasses import dataclass, field
@dataclass
class Wallet:
    balance: float = 0
    history: list = field(default_factory=list, repr=False)
    def _change(self, amount):
        self.history.append(amount)
        self.balance += amount
    def deposit(self, amount): self._change(amount)
    def withdraw(self, amount):
        if amount > self.balance: raise ValueError("insufficient funds")
        self._change(-amount)
def total(wallets): return sum((each.balance for each in wallets), 0.0)
