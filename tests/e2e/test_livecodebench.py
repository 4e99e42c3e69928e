"""LiveCodeBench's problems with its packed tests, solved by us in Python and in Rust."""

from __future__ import annotations

import json

import pytest

from external_data import external, needs_external
from workbench import forgetest_here

PROBLEMS = "contest/live_code_bench_v1.jsonl"
SHORT_SORT, SENIORS, WINNER = "codeforces/1873_A", "leetcode/2727", "atcoder/abc301_a"

PYTHON = {
    SHORT_SORT: """
for _ in range(int(input())):
    print("NO" if input().strip() in ("bca", "cab") else "YES")
""",
    SENIORS: """
class Solution:
    def countSeniors(self, details):
        return sum(int(each[11:13]) > 60 for each in details)
""",
    WINNER: """
input()
games = input().strip()
takahashi, aoki = games.count("T"), games.count("A")
print("T" if takahashi > aoki or (takahashi == aoki and games[-1] == "A") else "A")
""",
}
RUST = {
    SENIORS: """
impl Solution {
    pub fn count_seniors(details: Vec<String>) -> i32 {
        details.iter().filter(|each| each[11..13].parse::<i32>().unwrap() > 60).count() as i32
    }
}
""",
    WINNER: """
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let games = text.split_whitespace().nth(1).unwrap();
    let (t, a) = (games.matches('T').count(), games.matches('A').count());
    println!("{}", if t > a || (t == a && games.ends_with('A')) { "T" } else { "A" });
}
""",
}
WRONG = {"python": PYTHON[SENIORS].replace("> 60", ">= 60"), "rust": RUST[SENIORS].replace("> 60", "> 61")}


@pytest.mark.slow
@needs_external(PROBLEMS)
@pytest.mark.parametrize(("language", "solutions"), [("python", PYTHON), ("rust", RUST)])
def test_right_solutions_pass_the_packed_tests_and_a_wrong_one_does_not(language, solutions, tmp_path):
    path = external(PROBLEMS)
    imported = forgetest_here("import", path, "--language", language, "--out", "set.toml", cwd=tmp_path)
    assert imported.returncode == 0, imported.stderr
    samples = [{"case_id": case, "model": "us/right", "code": code} for case, code in solutions.items()]
    samples.append({"case_id": SENIORS, "model": "us/wrong", "code": WRONG[language]})
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(each) + "\n" for each in samples))

    done = forgetest_here("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "forgetest-results" / "latest" / "report.json").read_text())
    correct = {(each["model"], each["case_id"]): each["correct"] for each in report["results"]}
    assert correct == {("wrong", SENIORS): False, **{("right", case): True for case in solutions}}
    assert all(each["verified"] for each in report["results"])
