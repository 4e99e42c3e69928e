"""`forgetest serve`."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import click

from forgetest import config
from forgetest.cli.judging import open_grader
from forgetest.cli.options import (
    config_option,
    executor_option,
    max_sample_size_option,
    sandbox_options,
    sharing_option,
)
from forgetest.cli.output import echo, frozen_heap, say, say_if_warning
from forgetest.command_line import EXIT_INTERRUPTED, number
from forgetest.loading import check_cases, load_eval_sets
from forgetest.service.http.server import HttpLimits
from forgetest.service.logs import log_nothing, log_to_stderr
from forgetest.service.serving import ServeOptions, check_address, read_tokens, serve

_MEGABYTE = 1 << 20


@click.command("serve", short_help="Grade samples over HTTP.")
@click.option(
    "--eval-set",
    "eval_sets",
    multiple=True,
    metavar="SET",
    help="Eval sets whose cases requests may name: files, folders or built-in sets. Requests may also bring cases.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address. Any but loopback needs a token.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 for any that is free."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Bearer tokens, one per line; every request but GET /health then needs one.",
)
@click.option(
    "--workers",
    "parallelism",
    type=click.IntRange(1),
    metavar="N",
    help="Samples judged at once. Default: one per core.",
)
@click.option(
    "--queue",
    type=click.IntRange(1),
    default=4096,
    show_default=True,
    metavar="N",
    help="Samples that may wait or be judged; further ones are refused with 429 and Retry-After.",
)
@click.option(
    "--deadline",
    type=number(0, 86_400, above_least=True),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="After this long, what is not judged is answered as unjudged. Requests may name their own.",
)
@click.option(
    "--grace",
    type=number(0, 86_400),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How long samples may still be judged after SIGTERM or Ctrl-C; a second signal ends the wait.",
)
@click.option(
    "--max-body",
    type=click.IntRange(1, 4096),
    default=32,
    show_default=True,
    metavar="MB",
    help="Longest body of a request.",
)
@sandbox_options
@click.option("--no-cache", is_flag=True, help="Judge every sample, and neither read nor write the verdict cache.")
@sharing_option
@max_sample_size_option
@executor_option
@config_option
@click.option("--quiet", "-q", is_flag=True, help="Log no requests.")
def command(**given: Any) -> int:
    """Grade samples over HTTP, with the same verdicts as `forgetest run`.

    \b
      forgetest serve --eval-set quickstart
      curl localhost:8080/v1/grade -H 'content-type: application/json' \\
        -d '{"case": "quickstart/add", "answer": "pub fn add(a: i32, b: i32) -> i32 { a + b }", "as_code": true}'

    Paths: POST /v1/grade, GET /v1/cases, /health, /metrics; SandboxFusion's /run_code and /submit, and ScaleBox's
    /common_evaluate_batch. In Python: `forgetest.Client("http://localhost:8080")`.
    Samples of requests that arrive together share compiler calls. A sample that could not be judged is answered as
    `unjudged`, which is neither an error nor a zero.

    The address is printed on standard output, and one line of JSON per request on standard error. Exit codes: 0 after
    SIGTERM, 130 after Ctrl-C, 2 where the input is wrong.
    """
    tokens = read_tokens(given["token_file"]) if given["token_file"] is not None else []
    check_address(given["host"], tokens)
    quiet = given["quiet"]
    eval_sets = load_eval_sets(given["eval_sets"], say)
    check_cases(eval_sets)
    settings = config.load(file=given["config"])
    options = ServeOptions(
        host=given["host"],
        port=given["port"],
        tokens=tokens,
        queue=given["queue"],
        deadline_s=given["deadline"],
        grace_s=given["grace"],
        program_slots=given["parallelism"] or settings.parallelism or len(os.sched_getaffinity(0)),
        limits=HttpLimits(
            body_bytes=given["max_body"] * _MEGABYTE, all_bodies_bytes=max(256, 2 * given["max_body"]) * _MEGABYTE
        ),
    )
    announce = say_if_warning if quiet else lambda message: log_to_stderr("note", message=message)
    with open_grader(given, announce, settings) as grader, frozen_heap():
        received = serve(
            grader,
            eval_sets,
            options,
            log=log_nothing if quiet else log_to_stderr,
            listening=lambda url: echo(f"Serving on {url}"),
        )
    return EXIT_INTERRUPTED if received == signal.SIGINT else 0
