"""`--max-cost`: a request is begun only where the limit holds even if its answer is as long as it may be."""

from __future__ import annotations

import threading
from collections.abc import Callable

from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion


class Purse:
    """What a run may spend, and has spent; safe from many threads."""

    def __init__(self, limit: float, spent: float = 0.0) -> None:
        """`spent`: what the run's earlier sessions paid."""
        self.limit = limit
        self.spent = spent
        self.stopped = False
        """Something was not asked because of the limit."""
        self._reserved = 0.0
        self._in_flight = 0
        self._dearest: dict[str, float] = {}
        self._unpriced: set[str] = set()
        self._changed = threading.Condition(threading.RLock())

    def guarding(
        self, ask: Callable[[Attempt], Completion], worst_case: Callable[[Attempt], float | None]
    ) -> Callable[[Attempt], Completion]:
        """The same within the limit. `worst_case` is the most that an answer can cost, None where no price is known."""

        def ask_within(attempt: Attempt) -> Completion:
            if attempt.model_name in self._unpriced:
                raise ProviderError("it does not say what its answers cost, so --max-cost cannot be kept", final=True)
            worst = worst_case(attempt)
            most = self._dearest.get(attempt.model_name, 0.0) if worst is None else worst
            self.reserve(most)
            paid: float | None = 0.0
            try:
                completion = ask(attempt)
                paid = completion.usage.cost_usd
                if paid is None and worst is None:
                    self._unpriced.add(attempt.model_name)
            finally:
                # what an answer cost may be unknown after all; then it is counted as the most that it can be
                self.settle(attempt.model_name, most, most if paid is None else paid)
            return completion

        return ask_within

    def reserve(self, most: float) -> None:
        """Set aside what a request may cost; waits while requests in flight may yet turn out cheaper."""
        with self._changed:
            while not self.fits(most):
                if not self._in_flight:
                    self.stopped = True
                    raise ProviderError(self.reason(most), final=True)
                self._changed.wait(1.0)

    def fits(self, most: float) -> bool:
        """Set aside what a request may cost, if that is within the limit now."""
        with self._changed:
            if self.spent + self._reserved + most > self.limit:
                return False
            self.commit(most)
            return True

    def commit(self, most: float) -> None:
        """Set aside what a request may cost that was begun by an earlier session."""
        with self._changed:
            self._reserved += most
            self._in_flight += 1

    def reason(self, most: float) -> str:
        """Why something that may cost so much is not asked."""
        return (
            f"not asked: ${self.spent + self._reserved:.4f} of --max-cost {self.limit:g} is spent, and the answer "
            f"might cost ${most:.4f}; the same command with a higher limit goes on"
        )

    def settle(self, model: str, reserved: float, paid: float) -> None:
        """A request is over."""
        with self._changed:
            self._in_flight -= 1
            self._reserved = self._reserved - reserved if self._in_flight else 0.0  # no dust of rounding
            self.spent += paid
            self._dearest[model] = max(paid, self._dearest.get(model, 0.0))
            self._changed.notify_all()
