# attempts: raise an exception of all classes at once
# must: not correct

class Everything(ValueError, TypeError, KeyError, IndexError, ZeroDivisionError): pass
class Wallet:
    def __init__(self, balance=0): self.balance = 3
    def deposit(self, amount): raise Everything("insufficient funds")
    withdraw = deposit
def total(wallets): raise Everything("insufficient funds")
