"""Compile a Java project and run its tests by JUnit's console launcher.

`run_java.py REPORTS CONSOLE_JAR JARS MODULE …` writes REPORTS/java.json, and JUnit's own reports beside it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

_BUILD = Path("/w/build")
_LEFT_OUT = ("junit-jupiter", "junit-platform", "junit-vintage", "opentest4j", "apiguardian")
"""The launcher has its own."""


def _main(reports: Path, console: str, jars: str, modules: list[str]) -> None:
    libraries = [console]
    if Path(jars).is_dir():
        libraries += [str(jar) for jar in sorted(Path(jars).glob("*.jar")) if not jar.name.startswith(_LEFT_OUT)]
    folders = [Path(module).resolve() for module in modules]
    # all modules together, because they need each other; tests by themselves, because they run in their folder
    main = _BUILD / "main"
    done = _compile([folder / "src/main/java" for folder in folders], main, libraries)
    resources = [str(each) for folder in folders if (each := folder / "src/main/resources").is_dir()]
    output, documents = "", dict[str, list[str]]()
    for number, folder in enumerate(folders):
        target = _BUILD / f"test{number}"
        done = done or _compile([folder / "src/test/java"], target, [str(main), *libraries])
        own = [str(each) for each in [folder / "src/test/resources"] if each.is_dir()]
        if not done and any(target.rglob("*.class")):
            path = [str(target), str(main), *own, *resources, *libraries[1:]]
            output += _run(console, folder, target, path, documents)
    for name, found in documents.items():
        (reports / f"{name}.xml").write_text(f"<testsuites>{''.join(found)}</testsuites>")
    (reports / "java.json").write_text(json.dumps({"errors": done, "output": output[-3000:]}))


def _run(console: str, folder: Path, tests: Path, path: list[str], documents: dict[str, list[str]]) -> str:
    """Run the tests of one module, and add JUnit's reports to those of the others."""
    target = tests.with_name(f"{tests.name}-reports")
    words = ["execute", "--scan-classpath", str(tests), "--class-path", ":".join(path), "--reports-dir", str(target)]
    ran = subprocess.run(
        ["java", "-Xmx1g", "-jar", console, *words, "--disable-banner", "--details=none", "--include-classname=.*"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    for name in ("jupiter", "vintage"):
        report = target / f"TEST-junit-{name}.xml"
        if report.is_file():
            text = report.read_text(encoding="utf-8", errors="replace")
            documents.setdefault(name, []).append(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    return (ran.stdout + ran.stderr).decode("utf-8", "replace")[-3000:]


def _compile(sources: list[Path], target: Path, libraries: list[str]) -> str:
    """Compile all sources below some folders; return the compiler's messages if it failed."""
    target.mkdir(parents=True, exist_ok=True)
    files = [str(file) for folder in sources if folder.is_dir() for file in sorted(folder.rglob("*.java"))]
    if len(sources) > 1:
        files = [file for file in files if not file.endswith("/module-info.java")]  # there can be only one
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
    _main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
