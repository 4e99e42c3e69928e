"""Java: JUnit's reports, failed compilation, and the libraries of pom.xml and build.gradle."""

from __future__ import annotations

import json

import pytest

from nerv.verification.ecosystems import java_packages, java_suite
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
