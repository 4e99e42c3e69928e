"""Maven and Gradle: settings that switch tests off, and those of other plugins and tasks."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

TEST = "class ShopTest {\n    @Test\n    void two() {\n        assertEquals(6, Shop.price(2));\n    }\n}\n"
PATH = "src/test/java/ShopTest.java"
POM = (
    "<project>\n  <plugins>\n    <plugin>\n      <artifactId>maven-{}-plugin</artifactId>\n      <configuration>\n"
    "        <forkCount>1</forkCount>\n      </configuration>\n    </plugin>\n  </plugins>\n</project>\n"
)
GRADLE = "plugins {\n    id 'java'\n}\n\ntest {\n    useJUnitPlatform()\n}\n"


def pom(line: str, plugin: str = "surefire") -> set[str]:
    before = POM.format(plugin)
    after = before.replace("        <fork", f"        {line}\n        <fork")
    return kinds(a_run({PATH: TEST, "pom.xml": before}, {PATH: TEST, "pom.xml": after}))


def gradle(after: str) -> set[str]:
    return kinds(a_run({PATH: TEST, "build.gradle": GRADLE}, {PATH: TEST, "build.gradle": after}))


@pytest.mark.parametrize(
    "line",
    [
        "<skipTests>true</skipTests>",
        "<skip>true</skip>",
        "<testFailureIgnore>true</testFailureIgnore>",
        "<excludes>\n          <exclude>**/Shop*.java</exclude>\n        </excludes>",
        "<includes><include>**/CartTest.java</include></includes>",
        "<test>CartTest</test>",
        "<excludedGroups>discount</excludedGroups>",
    ],
)
def test_a_pom_that_leaves_tests_out_is_found(line: str) -> None:
    assert pom(line) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("line", "plugin"),
    [
        ("<argLine>-Xmx1g</argLine>", "surefire"),
        ("<excludedGroups>slow</excludedGroups>", "surefire"),
        ("<excludes><exclude>**/*IT.java</exclude></excludes>", "surefire"),
        ("<includes><include>**/*IT.java</include></includes>", "failsafe"),
        ("<skip>true</skip>", "deploy"),
    ],
)
def test_other_settings_of_a_pom_are_fine(line: str, plugin: str) -> None:
    assert pom(line, plugin) == set()


@pytest.mark.parametrize(
    "line",
    [
        "ignoreFailures = true",
        "enabled = false",
        "onlyIf { false }",
        "exclude('**/Shop*')",
        "include '**/CartTest*'",
        "filter {\n        excludeTestsMatching '*Shop*'\n    }",
    ],
)
def test_a_gradle_task_that_leaves_tests_out_is_found(line: str) -> None:
    assert gradle(GRADLE.replace("    useJUnit", f"    {line}\n    useJUnit")) == {"tests_cannot_fail"}


@pytest.mark.parametrize("line", ["test.enabled = false", "check.dependsOn -= test"])
def test_a_line_that_takes_the_tests_away_is_found(line: str) -> None:
    assert gradle(f"{GRADLE}\n{line}\n") == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    "block",
    [
        "jar {\n    exclude 'META-INF/Test*'\n    enabled = false\n}\n",
        "tasks.register('integrationTest', Test) {\n    include '**/*IT.class'\n    onlyIf { false }\n}\n",
        "dependencies {\n    testImplementation('a:b:1') {\n        exclude group: 'x', module: 'test'\n    }\n}\n",
        "test {\n    maxHeapSize = '1g'\n    exclude '**/*IT.class'\n}\n",
    ],
)
def test_other_tasks_are_fine(block: str) -> None:
    assert gradle(f"{GRADLE}\n{block}") == set()
