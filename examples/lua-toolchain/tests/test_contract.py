"""Lua, held to forgetest's contracts of toolchains and of their programs."""

from __future__ import annotations

from forgetest.testing.programs import ProgramsContract, ProgramSpecimen
from forgetest.testing.toolchains import Specimen, ToolchainContract
from forgetest.verdict import Span

TESTS = """
function test_below() assert(percentage(-5) == 0) end
function test_above() assert(percentage(105) == 100) end
function ignored_test_slow() assert(percentage(1) == 2) end
"""


class TestLua(ToolchainContract):
    """Every test of the contract, for this specimen."""

    specimen = Specimen(
        language="lua",
        tests=TESTS,
        below="test_below",
        above="test_above",
        ignored="ignored_test_slow",
        ignored_tests=TESTS.replace("function test", "function ignored_test"),
        signature="function percentage(n)",
        right="local function percentage(n)\n    return math.max(0, math.min(n, 100))\nend\n",
        wrong="local function percentage(n)\n    return math.min(n, 100)\nend\n",
        broken="local function percentage(n)\n    return math.min(n,\nend\n",
        error=("syntax", Span(line_start=3, line_end=3, column_start=1, column_end=4)),
        linted="local function percentage(n)\n    local unused = 1\n    return math.max(0, math.min(n, 100))\nend\n",
        lint=("W211", Span(line_start=2, line_end=2, column_start=11, column_end=17)),
        nameless="function per_mille(n)\n    return math.max(0, math.min(n, 1000))\nend\n",
        endless="local function percentage(n)\n    while n do end\nend\n",
        comment="-- only a comment",
        findings=frozenset({"shared_interpreter"}),
    )


SUM = """local total = 0
for word in io.read("a"):gmatch("%S+") do
    total = total + math.tointeger(word)
end
"""


class TestLuaPrograms(ProgramsContract):
    """Every test of the contract for programs, for this specimen."""

    specimen = ProgramSpecimen(
        language="lua",
        right=SUM + "print(total)\n",
        wrong=SUM + "print(total > 100 and total + 1 or total)\n",
        broken=SUM + "print(total\n",
        exits=SUM + "print(total)\nos.exit(3)\n",
        endless=SUM + "print(total)\nio.stdout:flush()\nwhile total > 100 do end\n",
        floods="while true do\n    print(string.rep('1', 1000))\nend\n",
        littering=SUM
        + """if io.popen("ls -A"):read("a") == "" then
    io.open("left", "w"):close()
    print(total)
end
""",
        silent_child=SUM + 'os.execute("sleep 100 >/dev/null 2>&1 &")\nprint(total)\n',
    )
