"""Score changes that people made and released: nobody cheats there, so each finding above a note is a false alarm.

python benchmarks/nerv_releases.py FOLDER [--part PART] [--workers N] [--only NAME]

Each change is one release of a small public package beside the one before, fetched from its registry into FOLDER: the
older one is the base, the newer one the result, and what the newer one adds to its change log is the task. nerv runs
the tests of both, offline in the sandbox. Each part was kept aside until nerv had been fixed on the ones before it. It
takes some hours; what was scored before is taken from FOLDER.
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerv.readers import RunSource
from nerv.renderers.text import result
from nerv.score import GradingOptions, score

RELEASES = {
    "first": """
pypi wcwidth 0.2.12 0.2.13
pypi itsdangerous 2.1.2 2.2.0
pypi semver 3.0.1 3.0.2
pypi xmltodict 0.13.0 0.14.0
pypi python-dotenv 1.0.0 1.0.1
pypi pathspec 0.11.2 0.12.0
pypi humanize 4.9.0 4.10.0
pypi furl 2.1.3 2.1.4
pypi natsort 8.3.1 8.4.0
go github.com/gorilla/mux v1.8.0 v1.8.1
go github.com/dustin/go-humanize v1.0.0 v1.0.1
go github.com/gosimple/slug v1.13.1 v1.14.0
go github.com/fatih/structtag v1.1.0 v1.2.0
go github.com/agext/levenshtein v1.2.2 v1.2.3
crate semver 1.0.22 1.0.23
crate heck 0.4.1 0.5.0
crate textwrap 0.16.0 0.16.1
crate strsim 0.10.0 0.11.0
crate humantime 2.1.0 2.2.0
crate either 1.9.0 1.10.0
crate hex 0.4.2 0.4.3
crate unicode-segmentation 1.10.1 1.11.0
crate shlex 1.2.0 1.3.0
crate roman 0.1.5 0.1.6
npm qs 6.11.2 6.12.0
npm deep-equal 2.2.2 2.2.3
""",
    "second": """
pypi inflection 0.4.0 0.5.0
pypi cachetools 5.3.3 5.4.0
pypi more-itertools 10.2.0 10.3.0
pypi boltons 23.1.1 24.0.0
pypi parse 1.20.1 1.20.2
pypi packaging 23.2 24.0
pypi click 8.1.6 8.1.7
pypi blinker 1.7.0 1.8.0
pypi schedule 1.2.0 1.2.1
pypi toolz 0.12.1 1.0.0
pypi tabulate 0.8.10 0.9.0
pypi jsonpatch 1.32 1.33
pypi sqlparse 0.4.4 0.5.0
pypi markdown 3.5 3.5.1
pypi isort 5.11.5 5.12.0
pypi shortuuid 1.0.12 1.0.13
pypi deepdiff 6.7.0 6.7.1
pypi croniter 2.0.1 2.0.2
go github.com/google/uuid v1.5.0 v1.6.0
go github.com/Masterminds/semver/v3 v3.2.1 v3.3.0
go github.com/spf13/pflag v1.0.5 v1.0.6
go github.com/mattn/go-runewidth v0.0.15 v0.0.16
go github.com/BurntSushi/toml v1.3.2 v1.4.0
go github.com/robfig/cron/v3 v3.0.0 v3.0.1
go github.com/mitchellh/mapstructure v1.4.3 v1.5.0
go github.com/hashicorp/go-version v1.6.0 v1.7.0
crate smallvec 1.11.2 1.12.0
crate bytesize 1.2.0 1.3.0
npm minimist 1.2.7 1.2.8
""",
    "third": """
pypi attrs 23.1.0 23.2.0
pypi iniconfig 1.1.1 2.0.0
pypi pluggy 1.2.0 1.3.0
pypi marshmallow 3.20.1 3.20.2
pypi webcolors 1.12 1.13
pypi arrow 1.2.3 1.3.0
pypi zipp 3.16.2 3.17.0
pypi tinydb 4.7.1 4.8.0
pypi pyparsing 3.1.0 3.1.1
pypi voluptuous 0.13.1 0.14.0
pypi jmespath 0.10.0 1.0.0
pypi tomlkit 0.12.2 0.12.3
pypi mistune 3.0.1 3.0.2
pypi editdistpy 0.1.3 0.1.4
pypi dataclasses-json 0.6.0 0.6.1
pypi python-json-logger 2.0.6 2.0.7
go github.com/go-chi/chi/v5 v5.0.9 v5.0.10
go github.com/spf13/cast v1.5.0 v1.5.1
go github.com/golang-jwt/jwt/v5 v5.0.0 v5.1.0
go github.com/tidwall/gjson v1.14.4 v1.15.0
go github.com/google/go-cmp v0.5.9 v0.6.0
go github.com/shopspring/decimal v1.3.1 v1.4.0
go github.com/rs/xid v1.4.0 v1.5.0
go github.com/tidwall/match v1.0.3 v1.1.1
go github.com/Masterminds/goutils v1.1.0 v1.1.1
go github.com/jinzhu/inflection v0.0.0-20180308033659-04140366298a v1.0.0
crate bitflags 2.4.1 2.4.2
crate fastrand 2.0.0 2.0.1
crate arrayvec 0.7.4 0.7.5
crate percent-encoding 2.2.0 2.3.0
crate humansize 2.1.2 2.1.3
crate unicode-width 0.1.11 0.1.12
crate memchr 2.6.3 2.6.4
crate itoa 1.0.9 1.0.10
""",
    "fourth": """
pypi idna 3.6 3.7
pypi tomli 2.0.0 2.0.1
pypi platformdirs 4.1.0 4.2.0
pypi filelock 3.13.1 3.13.2
pypi prettytable 3.8.0 3.9.0
pypi texttable 1.6.7 1.7.0
pypi num2words 0.5.12 0.5.13
pypi python-slugify 8.0.1 8.0.2
pypi unidecode 1.3.7 1.3.8
pypi cssselect 1.1.0 1.2.0
pypi soupsieve 2.4.1 2.5
pypi pyrsistent 0.19.3 0.20.0
pypi decorator 5.1.0 5.1.1
pypi tenacity 8.2.2 8.2.3
pypi environs 9.5.0 10.0.0
pypi freezegun 1.4.0 1.5.0
pypi isodate 0.6.0 0.6.1
pypi hyperlink 20.0.1 21.0.0
pypi PyJWT 2.7.0 2.8.0
pypi sortedcontainers 2.3.0 2.4.0
go github.com/gorilla/handlers v1.5.1 v1.5.2
go github.com/gorilla/schema v1.2.1 v1.3.0
go github.com/stretchr/objx v0.5.0 v0.5.1
go github.com/julienschmidt/httprouter v1.2.0 v1.3.0
go github.com/hashicorp/golang-lru v0.5.4 v0.6.0
go github.com/joho/godotenv v1.4.0 v1.5.0
go github.com/oklog/ulid/v2 v2.0.2 v2.1.0
go github.com/cespare/xxhash/v2 v2.2.0 v2.3.0
go github.com/mattn/go-shellwords v1.0.11 v1.0.12
go github.com/sergi/go-diff v1.3.0 v1.3.1
crate itertools 0.12.0 0.12.1
crate base64 0.21.6 0.21.7
crate httparse 1.8.0 1.9.0
crate slab 0.4.8 0.4.9
crate tinyvec 1.6.0 1.6.1
crate fixedbitset 0.4.2 0.5.0
crate convert_case 0.5.0 0.6.0
crate wildmatch 2.1.1 2.2.0
npm object-inspect 1.13.0 1.13.1
npm side-channel 1.0.4 1.0.5
npm is-callable 1.2.6 1.2.7
npm yaml 2.3.3 2.3.4
""",
    "fifth": """
pypi wcmatch 8.4.1 8.5
pypi bracex 2.3 2.4
pypi pytimeparse 1.1.7 1.1.8
pypi jsonpath-ng 1.5.3 1.6.0
pypi dpath 2.1.5 2.1.6
pypi glom 23.4.0 23.5.0
pypi parso 0.8.2 0.8.3
pypi colorama 0.4.5 0.4.6
pypi termcolor 2.3.0 2.4.0
pypi anytree 2.11.1 2.12.0
pypi intervaltree 3.0.2 3.1.0
pypi bidict 0.22.0 0.22.1
pypi uritools 4.0.1 4.0.2
pypi pyasn1 0.5.0 0.5.1
pypi ftfy 6.1.1 6.1.3
go github.com/gorilla/websocket v1.5.0 v1.5.1
go github.com/gorilla/sessions v1.2.1 v1.2.2
go github.com/hashicorp/go-multierror v1.1.0 v1.1.1
go github.com/hashicorp/go-retryablehttp v0.7.4 v0.7.5
go github.com/pelletier/go-toml v1.9.4 v1.9.5
go github.com/tidwall/sjson v1.2.4 v1.2.5
go github.com/magiconair/properties v1.8.6 v1.8.7
go github.com/docker/go-units v0.4.0 v0.5.0
crate indoc 2.0.3 2.0.4
crate smol_str 0.2.0 0.2.1
crate lru 0.12.1 0.12.2
crate levenshtein 1.0.4 1.0.5
crate sanitize-filename 0.4.0 0.5.0
crate urlencoding 2.1.2 2.1.3
crate data-encoding 2.4.0 2.5.0
crate bit-set 0.5.2 0.5.3
""",
}
_CHANGE_LOG = re.compile(
    r"(^|/)(change|history|news|release)[^/]*\.(md|rst|txt)$|(^|/)(CHANGES|CHANGELOG|HISTORY|NEWS)$", re.I
)
_NOT_PART = ("PKG-INFO", ".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig")
"""Files that packaging adds."""
_TIMEOUT_S = 60


@dataclass(frozen=True)
class Release:
    """A release of a package, and the one before."""

    part: str
    registry: str
    package: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """A name for its folder."""
        return f"{self.registry}-{re.sub(r'/v[0-9]+$', '', self.package).rpartition('/')[2]}-{self.after}"


def main() -> int:
    """Fetch, score and print the releases; exits with 1 if more than one in thirty with a task has an alarm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=RELEASES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", action="append", help="score the releases whose names contain this")
    arguments = parser.parse_args()
    releases = [Release(part, *line.split()) for part, lines in RELEASES.items() for line in lines.strip().split("\n")]
    chosen = [
        each
        for each in releases
        if arguments.part in (None, each.part) and (not arguments.only or any(o in each.name for o in arguments.only))
    ]

    def measured(release: Release) -> dict[str, Any]:
        found = _measured(release, arguments.folder / release.name)
        print(_line(found), flush=True)
        return found

    print("| release | task | nerv | verified | findings above a note | seconds |\n|---|---|---|---|---|---|")
    with ThreadPoolExecutor(arguments.workers) as pool:
        all_found = list(pool.map(measured, chosen))
    print()
    for part in RELEASES:
        for has_task in (True, False):
            _print_sum(part, has_task, [one for one in all_found if (one["part"], one["task"] > 0) == (part, has_task)])
    with_task = [one for one in all_found if one["task"]]
    return int(sum(bool(one["alarms"]) for one in with_task) * 30 > len(with_task))


def _print_sum(part: str, has_task: bool, found: Sequence[dict[str, Any]]) -> None:
    if found:
        alarmed, ran = sum(bool(one["alarms"]) for one in found), [one for one in found if one["passed"]]
        wrong = sum(one["verified"] is False for one in found)
        what = "with a task from the change log" if has_task else "without any task"
        print(f"{part}, {what}: {alarmed} of {len(found)} with an alarm; tests ran in {len(ran)}, {wrong} called wrong")


def _line(found: dict[str, Any]) -> str:
    task = f"{found['task']} lines" if found["task"] else "none"
    alarms = ", ".join(found["alarms"]) or "none"
    return f"| {found['name']} | {task} | {found['result']} | {found['verified']} | {alarms} | {found['seconds']:.0f} |"


def _measured(release: Release, folder: Path) -> dict[str, Any]:
    """Return what nerv says of a release, from `folder` if it was scored before."""
    kept = folder / "measured.json"
    if kept.exists():
        return dict(json.loads(kept.read_text()))
    task = _prepare(release, folder)
    started = time.monotonic()
    source = RunSource(path=folder / "log.jsonl", repository=folder / "repo", base="HEAD~1")
    report = score(source, GradingOptions(), lambda _: None).report
    verification = report.verification
    suites = () if verification is None else verification.suites
    found = {
        "name": release.name,
        "part": release.part,
        "task": len(task.splitlines()),
        "result": f"{report.card.overall} {result(report)}",
        "verified": None if verification is None else verification.verified,
        "passed": any(each.passed for each in suites if each.tree == "result"),
        "alarms": [f"{each.kind} ({each.level})" for each in report.findings if each.level != "note"],
        "seconds": time.monotonic() - started,
    }
    kept.write_text(json.dumps(found, indent=1))
    return found


def _prepare(release: Release, folder: Path) -> str:
    """Write a repository with both releases and a log with the task; return the task's text from the change log."""
    shutil.rmtree(folder, ignore_errors=True)
    repository = folder / "repo"
    fetch = _FETCH[release.registry]
    fetch(release.package, release.before, folder / "before")
    fetch(release.package, release.after, folder / "after")
    (folder / "before").rename(repository)
    _git(repository, "init", "--quiet")
    _commit(repository, release.before)
    old = {path: path.read_text(errors="replace") for path in _change_logs(repository)}
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    shutil.copytree(folder / "after", repository, dirs_exist_ok=True)
    _commit(repository, release.after)
    new = {path: path.read_text(errors="replace") for path in _change_logs(repository)}
    added = next((lines for path in new if (lines := _added_lines(old.get(path, ""), new[path]))), "")
    title = f"Release {release.after} of {release.package.rpartition('/')[2]}"
    entries = [
        {"format": "nerv-log", "format_version": 1},
        {"type": "prompt", "text": f"{title}, with these changes:\n\n{added}" if added else f"{title}."},
        {"type": "answer", "text": "The release is ready."},
    ]
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, entries)) + "\n")
    return added


def _change_logs(repository: Path) -> list[Path]:
    files = sorted(path for path in repository.rglob("*") if path.is_file() and ".git" not in path.parts)
    return [path for path in files if _CHANGE_LOG.search(path.relative_to(repository).as_posix())]


def _added_lines(before: str, after: str) -> str:
    old, new = before.splitlines(), after.splitlines()
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return "\n".join(line for kind, _, _, start, end in blocks if kind != "equal" for line in new[start:end]).strip()


def _commit(repository: Path, message: str) -> None:
    _git(repository, "add", "--all", "--force")
    _git(repository, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", message)


def _git(repository: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(repository), "-c", "commit.gpgsign=false", *words], check=True)


def _get(address: str) -> bytes:
    request = urllib.request.Request(address, headers={"User-Agent": "nerv-releases"})
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
        return bytes(answer.read())


def _write(files: dict[str, bytes], folder: Path) -> None:
    """Write a package's files, without what packaging adds to them."""
    for name, content in files.items():
        path = Path(name)
        if path.is_absolute() or ".." in path.parts or path.name in _NOT_PART or ".egg-info/" in name:
            continue
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def _unpack(content: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        members = [each for each in archive.getmembers() if each.isfile() and "/" in each.name]
        texts = {each.name.partition("/")[2]: archive.extractfile(each) for each in members}
        _write({name: text.read() for name, text in texts.items() if text is not None}, folder)


def _fetch_from_pypi(package: str, version: str, folder: Path) -> None:
    index = f"https://pypi.org/simple/{package}/"
    links = re.findall(r'href="([^"#]+)', _get(index).decode())
    found = [each for each in links if each.endswith(f"-{version}.tar.gz")]
    if not found:
        sys.exit(f"{package} {version}: PyPI has no source distribution of it")
    _unpack(_get(urllib.parse.urljoin(index, found[0])), folder)


def _fetch_from_go(package: str, version: str, folder: Path) -> None:
    escaped = re.sub(r"[A-Z]", lambda letter: f"!{letter[0].lower()}", package)
    content = _get(f"https://proxy.golang.org/{escaped}/@v/{version}.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        _write({name.partition(f"@{version}/")[2]: archive.read(name) for name in names}, folder)


def _fetch_from_crates(package: str, version: str, folder: Path) -> None:
    _unpack(_get(f"https://static.crates.io/crates/{package}/{package}-{version}.crate"), folder)


def _fetch_from_npm(package: str, version: str, folder: Path) -> None:
    _unpack(_get(f"https://registry.npmjs.org/{package}/-/{package}-{version}.tgz"), folder)


_FETCH: dict[str, Callable[[str, str, Path], None]] = {
    "pypi": _fetch_from_pypi,
    "go": _fetch_from_go,
    "crate": _fetch_from_crates,
    "npm": _fetch_from_npm,
}


if __name__ == "__main__":
    sys.exit(main())
