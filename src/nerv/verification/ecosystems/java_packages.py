"""Libraries that a Java project requires: read from pom.xml or build.gradle, and fetched once by Maven.

Neither file is run: Maven gets a pom of ours, which lists the same libraries and no plugin.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from nerv.documents import read_toml, table
from nerv.verification.ecosystems import Host, NotPrepared, java_modules
from nerv.verification.trees import Tree

CONSOLE_VERSION = "1.10.2"
CONSOLE = f"junit-platform-console-standalone-{CONSOLE_VERSION}.jar"
_CONSOLE_GROUP = "org.junit.platform"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_TOKEN = re.compile(r"[\w.+-]+")
_GRADLE = re.compile(
    r"\b(?:api|implementation|compileOnly|runtimeOnly|test\w*|annotationProcessor)\s*\(?\s*(?:platform\s*\(\s*)?"
    r"['\"]([\w.-]+):([\w.-]+):([\w.+-]+)['\"]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library by its coordinates."""

    group: str
    artifact: str
    version: str = ""
    """Empty: a list of versions (`is_list`) determines it."""
    is_list: bool = False


def libraries(tree: Tree) -> tuple[Library, ...]:
    """Return the libraries that the project and its modules declare.

    Left out are those of test frameworks, which the launcher has, and what the project's own modules provide.
    """
    paths = java_modules.build_files(tree)
    poms = [path for path in paths if path.endswith("pom.xml")]
    if poms:
        roots = [root for path in poms if (root := _parse(tree[path].content)) is not None]
        return _without_own(roots, [library for root in roots for library in _read_pom(root, roots[0])])
    text = "\n".join(tree[path].text for path in paths)
    found = [
        Library(group=group, artifact=artifact, version=version) for group, artifact, version in _GRADLE.findall(text)
    ]
    found += _read_catalog(tree["gradle/libs.versions.toml"].text, text) if "gradle/libs.versions.toml" in tree else []
    return tuple(dict.fromkeys(each for each in found if not each.group.startswith("org.junit")))


def _without_own(roots: list[ElementTree.Element], found: list[Library]) -> tuple[Library, ...]:
    own = {root.findtext("artifactId", "").strip() for root in roots}
    versions = {(each.group, each.artifact): each for each in reversed(found) if each.version}
    kept = (versions.get((each.group, each.artifact), each) for each in found if each.artifact not in own)
    return tuple(dict.fromkeys(kept))


def _read_catalog(catalog: str, text: str) -> list[Library]:
    """Return the libraries of Gradle's version catalog that a build file names, as `libs.commons.lang3`."""
    document = read_toml(catalog)
    versions = table(document, "versions")
    found = []
    for alias, value in table(document, "libraries").items():
        entry = (
            {"module": value.rpartition(":")[0], "version": value.rpartition(":")[2]}
            if isinstance(value, str)
            else value
        )
        if not isinstance(entry, dict) or not re.search(rf"\blibs\.{re.sub('[-_]', '.', alias)}\b(?!\.\w)", text):
            continue
        group, _, artifact = str(entry.get("module") or f"{entry.get('group')}:{entry.get('name')}").partition(":")
        version = entry.get("version", "")
        version = versions.get(str(version.get("ref")), "") if isinstance(version, dict) else version
        if all(_TOKEN.fullmatch(str(word)) for word in (group, artifact, version)):
            found.append(Library(group=group, artifact=artifact, version=str(version)))
    return found


def fetch(wanted: tuple[Library, ...], host: Host) -> Path:
    """Return a folder with the libraries' jars and the launcher's, fetched now unless they were before."""
    pom = _pom(wanted)
    key = hashlib.sha256(pom.encode()).hexdigest()[:32]

    def make(unfinished: Path) -> Path:
        maven = shutil.which("mvn", path=host.environment.get("PATH"))
        if maven is None:
            raise NotPrepared(
                "Maven, which fetches the libraries that Java tests need, is not installed on this machine"
            )
        host.say("verifying: fetching Java libraries")
        jars = unfinished / "jars"
        jars.mkdir()
        (unfinished / "pom.xml").write_text(pom)
        try:
            done = subprocess.run(
                [maven, "-q", "-B", "-Dstyle.color=never", _COPY, f"-DoutputDirectory={jars}"],
                cwd=unfinished,
                env=dict(host.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=900,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotPrepared("the libraries that it requires could not be fetched within 15 minutes") from None
        if done.returncode or not (jars / CONSOLE).is_file():
            raise NotPrepared(f"the libraries that it requires could not be fetched: {_maven_reason(done.stdout)}")
        return jars

    return host.keep("java", key, make)


def _maven_reason(output: bytes) -> str:
    """Return what Maven says went wrong: the first error that names something."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", output.decode("utf-8", "replace"))
    lines = [re.sub(r"^(\[\w+\]\s*)+", "", line).strip() for line in text.splitlines() if "ERROR" in line]
    named = [line for line in lines if line and not line.startswith("Some problems were encountered")]
    return (named or lines or ["Maven failed; is there a network?"])[0][:250]


def _pom(wanted: tuple[Library, ...]) -> str:
    lists = "".join(_dependency(each, "<type>pom</type><scope>import</scope>") for each in wanted if each.is_list)
    console = Library(group=_CONSOLE_GROUP, artifact="junit-platform-console-standalone", version=CONSOLE_VERSION)
    listed = "".join(_dependency(each, "") for each in (*wanted, console) if not each.is_list)
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>prepared</groupId><artifactId>prepared</artifactId><version>1</version>"
        f"<dependencyManagement><dependencies>{lists}</dependencies></dependencyManagement>"
        f"<dependencies>{listed}</dependencies></project>"
    )


def _dependency(library: Library, more: str) -> str:
    version = f"<version>{escape(library.version)}</version>" if library.version else ""
    return (
        f"<dependency><groupId>{escape(library.group)}</groupId><artifactId>{escape(library.artifact)}</artifactId>"
        f"{version}{more}</dependency>"
    )


def _parse(content: bytes) -> ElementTree.Element | None:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        return None
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  (declarations are refused above)
    except ElementTree.ParseError:
        return None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _read_pom(root: ElementTree.Element, first: ElementTree.Element) -> list[Library]:
    """`first`: the pom of the whole project, whose properties hold in all modules."""
    properties = {each.tag: (each.text or "").strip() for pom in (first, root) for each in pom.find("properties") or ()}
    found: list[Library | None] = []
    parent = root.find("parent")
    if parent is not None:
        found.append(_library(parent, properties, is_list=True))
    managed = root.findall("dependencyManagement/dependencies/dependency")
    found += [_library(each, properties, is_list=each.findtext("scope") == "import") for each in managed]
    found += [_library(each, properties, is_list=False) for each in root.findall("dependencies/dependency")]
    return [each for each in found if each is not None and not each.group.startswith("org.junit")]


def _library(element: ElementTree.Element, properties: dict[str, str], *, is_list: bool) -> Library | None:
    group, artifact, version = (_text(element, name, properties) for name in ("groupId", "artifactId", "version"))
    if not (_TOKEN.fullmatch(group) and _TOKEN.fullmatch(artifact)) or (version and not _TOKEN.fullmatch(version)):
        return None
    return Library(group=group, artifact=artifact, version=version, is_list=is_list)


def _text(element: ElementTree.Element, name: str, properties: dict[str, str]) -> str:
    text = (element.findtext(name) or "").strip()
    return re.sub(r"\$\{([\w.-]+)\}", lambda match: properties.get(match[1], match[0]), text)
