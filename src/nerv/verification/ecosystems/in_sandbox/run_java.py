"""Compile a Java project and run its tests by JUnit's console launcher.

`run_java.py REPORTS CONSOLE_JAR JARS` writes REPORTS/java.json, and JUnit's own reports beside it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

_BUILD = Path("/w/build")
_LEFT_OUT = ("junit-jupiter", "junit-platform", "junit-vintage", "opentest4j", "apiguardian")
"""The launcher has its own."""


def _main(reports: Path, console: str, jars: str) -> None:
    libraries = [console]
    if Path(jars).is_dir():
        libraries += [str(jar) for jar in sorted(Path(jars).glob("*.jar")) if not jar.name.startswith(_LEFT_OUT)]
    resources = [folder for folder in ("src/main/resources", "src/test/resources") if Path(folder).is_dir()]
    main, tests = _BUILD / "main", _BUILD / "test"
    done = _compile(Path("src/main/java"), main, libraries)
    if not done:
        done = _compile(Path("src/test/java"), tests, [str(main), *libraries])
    found: dict[str, object] = {"errors": done}
    if not done:
        path = ":".join([str(tests), str(main), *resources, *libraries[1:]])
        folder = _BUILD / "reports"
        words = ["execute", "--scan-classpath", str(tests), "--class-path", path, "--reports-dir", str(folder)]
        ran = subprocess.run(
            ["java", "-Xmx1g", "-jar", console, *words, "--disable-banner", "--details=none", "--include-classname=.*"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        found["output"] = (ran.stdout + ran.stderr).decode("utf-8", "replace")[-3000:]
        for name in ("jupiter", "vintage"):
            report = folder / f"TEST-junit-{name}.xml"
            if report.is_file():
                shutil.copyfile(report, reports / f"{name}.xml")
    (reports / "java.json").write_text(json.dumps(found))


def _compile(sources: Path, target: Path, libraries: list[str]) -> str:
    """Compile all sources below a folder; return the compiler's messages if it failed."""
    target.mkdir(parents=True, exist_ok=True)
    files = [str(file) for file in sorted(sources.rglob("*.java"))] if sources.is_dir() else []
    if not files:
        return ""
    (_BUILD / "arguments").write_text("\n".join(f'"{file}"' for file in files))
    words = ["-J-Xmx1g", "-encoding", "UTF-8", "-nowarn", "-d", str(target), "-cp", ":".join(libraries)]
    done = subprocess.run(
        ["javac", *words, f"@{_BUILD}/arguments"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return (
        "" if done.returncode == 0 else (done.stdout + done.stderr).decode("utf-8", "replace")[:3000] or "javac failed"
    )


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
