"""The samples of `forgetest.testing`, under a short name."""

from forgetest.testing.samples import (
    PROVENANCE,
    UNJUDGED_REASON,
    ReiterableSamples,
    a_case,
    a_diagnostic,
    a_refusal,
    a_report,
    a_sample,
    a_verdict,
    an_attempt,
    an_eval_set,
    an_unjudged_sample,
)

__all__ = [
    "PROVENANCE",
    "UNJUDGED_REASON",
    "ReiterableSamples",
    "a_case",
    "a_diagnostic",
    "a_refusal",
    "a_report",
    "a_sample",
    "a_verdict",
    "an_attempt",
    "an_eval_set",
    "an_unjudged_sample",
]
