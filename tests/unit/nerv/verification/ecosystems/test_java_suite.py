"""Java: JUnit's reports, failed compilation, and the libraries of pom.xml and build.gradle."""

from __future__ import annotations

import json

import pytest

from nerv.verification.ecosystems import java_modules, java_packages, java_suite
from nerv.verification.ecosystems.java_packages import Library
from verified_projects import execution_of, tree_of

CONTROL = "control_0123456789ab"

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><v>3.1</v></properties>
<parent><groupId>p</groupId><artifactId>parent</artifactId><version>9</version></parent>
<dependencies>
<dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency>
<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5</version></dependency>
<dependency><groupId>g</groupId><artifactId>${unknown}</artifactId><version>1</version></dependency>
</dependencies><build><plugins><plugin><groupId>evil</groupId><artifactId>runs-code</artifactId></plugin></plugins></build>
</project>"""


def test_libraries_are_read_from_a_pom_and_its_plugins_are_not():
    found = java_packages.libraries(tree_of({"pom.xml": POM}))
    assert found == (
        Library(group="p", artifact="parent", version="9", is_list=True),
        Library(group="g", artifact="a", version="3.1"),
    )
    assert "evil" not in java_packages._pom(found)


def test_libraries_are_read_from_a_gradle_file_without_running_it():
    lines = ("implementation 'g:a:1'", 'testImplementation("h:b:2")', "testImplementation 'org.junit.jupiter:j:5'")
    text = "dependencies {\n" + "\n".join(lines) + "\n}\n"
    assert java_packages.libraries(tree_of({"build.gradle": text})) == (
        Library(group="g", artifact="a", version="1"),
        Library(group="h", artifact="b", version="2"),
    )


@pytest.mark.parametrize("text", ["<project", "<!DOCTYPE x [<!ENTITY a 'b'>]><project/>", ""])
def test_an_invalid_or_hostile_pom_has_no_libraries(text):
    assert java_packages.libraries(tree_of({"pom.xml": text})) == ()


def test_tests_of_java_are_read_from_both_engines():
    jupiter = (
        f'<testsuite><testcase classname="{CONTROL}" name="{CONTROL}()"><failure/></testcase>'
        '<testcase classname="org.A" name="adds()"/></testsuite>'
    )
    vintage = '<testsuite><testcase classname="org.B" name="old"><error/></testcase></testsuite>'
    report = java_suite.read_report(
        {}, execution_of(java_json='{"errors": ""}', jupiter_xml=jupiter, vintage_xml=vintage), CONTROL
    )
    assert report.outcomes == {"org.A.adds": "passed", "org.B.old": "failed"}
    assert report.files["org.A.adds"] == "src/test/java/org/A.java"


def test_a_library_that_is_not_declared_is_not_a_broken_build():
    tree = tree_of({"src/main/java/org/own/A.java": ""})
    for package, broken in (("com.other", False), ("org.own", True)):
        errors = json.dumps({"errors": f"A.java:1: error: package {package} does not exist"})
        assert java_suite.read_report(tree, execution_of(java_json=errors), CONTROL).broken_build is broken


def pom(artifact: str, inner: str) -> str:
    return f"<project><groupId>g</groupId><artifactId>{artifact}</artifactId>{inner}</project>"


def dependency(artifact: str, version: str = "") -> str:
    stated = f"<version>{version}</version>" if version else ""
    return f"<dependency><groupId>g</groupId><artifactId>{artifact}</artifactId>{stated}</dependency>"


MANAGED = f"<dependencyManagement><dependencies>{dependency('lang', '${v}')}</dependencies></dependencyManagement>"
PARENT = "<parent><groupId>g</groupId><artifactId>all</artifactId><version>1</version></parent>"
MODULES = {
    "pom.xml": pom("all", f"<modules><module>app</module></modules><properties><v>3</v></properties>{MANAGED}"),
    "app/pom.xml": pom("app", f"{PARENT}<dependencies>{dependency('core', '1')}</dependencies>"),
    "app/src/test/java/org/AppTest.java": "",
    "core/pom.xml": pom("core", f"{PARENT}<dependencies>{dependency('lang')}</dependencies>"),
    "core/src/main/java/org/Core.java": "",
    "docs/src/main/java/org/Sample.java": "",
}


def test_the_modules_of_a_build_are_compiled_together_and_no_registry_is_asked_for_them():
    tree = tree_of(MODULES)
    assert java_suite.is_declared(tree)
    assert java_modules.folders(tree) == ("app", "core")
    assert java_packages.libraries(tree) == (Library(group="g", artifact="lang", version="3"),)
    command = java_suite.command(tree, tree, CONTROL)
    assert command.argv[-2:] == ("app", "core")
    assert list(command.added) == [f"app/src/test/java/{CONTROL}.java"]


@pytest.mark.parametrize("settings", ["include 'core', 'app'\n", 'include(":core")\ninclude(":app")\n'])
def test_modules_of_gradle_are_those_that_its_settings_name(settings):
    files = {"settings.gradle": settings, "build.gradle": "", **{path: "" for path in MODULES if "/src/" in path}}
    assert java_modules.folders(tree_of(files)) == ("app", "core")


def test_a_single_project_has_no_modules():
    files = {"pom.xml": POM, "src/test/java/A.java": "", "sample/src/test/java/B.java": ""}
    assert java_modules.folders(tree_of(files)) == ("",)


def test_libraries_of_a_version_catalog_are_those_that_a_build_file_names():
    catalog = (
        '[versions]\nv = "3.1"\n[libraries]\ncommons-lang3 = { module = "g:lang3", version.ref = "v" }\n'
        'plain = "h:b:2"\nunused = "h:c:2"\nwide-one = { group = "i", name = "d", version = "[1,2)" }\n'
    )
    build = "dependencies { implementation libs.commons.lang3\n api(libs.plain)\n api libs.wide.one }\n"
    assert java_packages.libraries(tree_of({"build.gradle": build, "gradle/libs.versions.toml": catalog})) == (
        Library(group="g", artifact="lang3", version="3.1"),
        Library(group="h", artifact="b", version="2"),
    )


def test_maven_s_reason_is_an_error_that_names_something():
    first = "\x1b[1;31m[ERROR]\x1b[0m [ERROR] Some problems were encountered while processing the POMs:"
    assert java_packages._maven_reason(f"{first}\n[ERROR] no g:a:1\n".encode()) == "no g:a:1"
