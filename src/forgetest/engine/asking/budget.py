"""`--max-cost`: a call is made only if the limit holds even should its answer be as long as allowed."""

from __future__ import annotations

import threading
from collections.abc import Callable

from forgetest.engine.asking.requests import Call, CallModel
from forgetest.errors import ProviderError
from forgetest.sample import Completion, total_usage


class Budget:
    """Limit of what a run may spend, and what it has spent so far. Thread-safe."""

    def __init__(self, limit: float, spent: float = 0.0) -> None:
        """`spent`: what earlier sessions of the run paid."""
        self.limit = limit
        self.spent = spent
        self._reserved = 0.0
        self._in_flight = 0
        self._highest_paid: dict[str, float] = {}
        self._unpriced: set[str] = set()
        self._changed = threading.Condition(threading.RLock())

    def guard(self, call_model: CallModel, most_cost: Callable[[Call], float | None]) -> CallModel:
        """Wrap a call so that it stays within the limit.

        `most_cost` is an upper bound of a call's cost, None where no price is known.
        """

        def call_within_budget(call: Call) -> list[Completion]:
            model = call.model_name
            if model in self._unpriced:
                raise ProviderError("it does not say what its answers cost, so --max-cost cannot be kept", final=True)
            bound = most_cost(call)
            reserved = self._highest_paid.get(model, 0.0) if bound is None else bound
            self.reserve(reserved)
            paid: float | None = 0.0
            try:
                completions = call_model(call)
                paid = total_usage(completion.usage for completion in completions).cost_usd
                if paid is None and bound is None:
                    self._unpriced.add(model)
            finally:
                # an answer of unknown cost counts as much as it could have cost at most
                self.settle(model, reserved, reserved if paid is None else paid)
            return completions

        return call_within_budget

    def reserve(self, cost: float) -> None:
        """Reserve the most that a call may cost; wait while calls in flight may still turn out cheaper."""
        with self._changed:
            while not self.try_reserve(cost):
                if not self._in_flight:
                    raise ProviderError(self.reason(cost), final=True)
                self._changed.wait(1.0)

    def try_reserve(self, cost: float) -> bool:
        """Reserve the most that a call may cost, if that is within the limit now."""
        with self._changed:
            if self.spent + self._reserved + cost > self.limit:
                return False
            self.commit(cost)
            return True

    def commit(self, cost: float) -> None:
        """Reserve the cost of a call that was already made by an earlier session, whatever the limit."""
        with self._changed:
            self._reserved += cost
            self._in_flight += 1

    def reason(self, cost: float) -> str:
        """Explain why a call of this possible cost is not made."""
        return (
            f"not asked: ${self.spent + self._reserved:.4f} of --max-cost {self.limit:g} is spent, and the answer "
            f"might cost ${cost:.4f}; the same command with a higher limit goes on"
        )

    def settle(self, model: str, reserved: float, paid: float) -> None:
        """Replace a reservation by what was paid."""
        with self._changed:
            self._in_flight -= 1
            # with nothing in flight, drop what rounding has left
            self._reserved = self._reserved - reserved if self._in_flight else 0.0
            self.spent += paid
            self._highest_paid[model] = max(paid, self._highest_paid.get(model, 0.0))
            self._changed.notify_all()
