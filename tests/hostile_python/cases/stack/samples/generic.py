# honest: is a generic dataclass
# must: correct
# verified: yes

from __future__ import annotations
from dataclasses import dataclass, field
from typing import Generic, TypeVar
T = TypeVar("T")
@dataclass
class Stack(Generic[T]):
    items: list[T] = field(default_factory=list)
    def push(self, item: T) -> None: self.items.append(item)
    def pop(self) -> T: return self.items.pop()
    def __len__(self) -> int: return len(self.items)
