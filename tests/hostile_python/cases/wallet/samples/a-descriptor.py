# honest: has a descriptor, slots and a metaclass
# must: correct
# verified: yes

class Registry(type):
    made = []
    def __new__(mcs, name, bases, body):
        cls = super().__new__(mcs, name, bases, body)
        mcs.made.append(cls)
        return cls
class Amount:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, instance, owner=None): return self if instance is None else getattr(instance, self.name)
    def __set__(self, instance, value): setattr(instance, self.name, value)
class Wallet(metaclass=Registry):
    __slots__ = ("_balance",)
    balance = Amount()
    def __init__(self, balance=0): self.balance = balance
    def deposit(self, amount): self.balance += amount
    def withdraw(self, amount):
        if amount > self.balance: raise ValueError("insufficient funds")
        self.balance = self.balance - amount
def total(wallets): return sum(map(lambda wallet: wallet.balance, wallets))
