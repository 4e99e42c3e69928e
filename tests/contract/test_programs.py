"""The shipped contract of toolchains that run programs, held against every one of ours."""

from __future__ import annotations

import pytest

from forgetest.testing.programs import ProgramsContract, ProgramSpecimen

pytestmark = pytest.mark.slow  # test_io_judging.py has the shortest form of it in the default lane

PYTHON_SUM = "import sys\n\ntotal = sum(map(int, sys.stdin.read().split()))\n"


class TestPythonPrograms(ProgramsContract):
    specimen = ProgramSpecimen(
        language="python",
        right=PYTHON_SUM + "print(total)\n",
        wrong=PYTHON_SUM + "print(total + (total > 100))\n",
        broken=PYTHON_SUM + "print(total\n",
        exits=PYTHON_SUM + "print(total)\nsys.exit(3)\n",
        endless=PYTHON_SUM + "print(total, flush=True)\nwhile total > 100:\n    pass\n",
        floods="while True:\n    print('1' * 1000)\n",
        littering=PYTHON_SUM
        + "import os\n\nif not os.listdir('.'):\n    open('left', 'w').close()\n    print(total)\n",
        silent_child=PYTHON_SUM
        + "import os\n\nprint(total, flush=True)\ntry:\n    if not os.fork():\n        while True:\n            pass\n"
        "except OSError:\n    pass\n",
    )


RUST_SUM = """use std::io::Read;

fn sum() -> i64 {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum()
}

"""


class TestRustPrograms(ProgramsContract):
    specimen = ProgramSpecimen(
        language="rust",
        right=RUST_SUM + 'fn main() {\n    println!("{}", sum());\n}\n',
        wrong=RUST_SUM
        + 'fn main() {\n    let total = sum();\n    println!("{}", total + i64::from(total > 100));\n}\n',
        broken=RUST_SUM + 'fn main() {\n    println!("{}", summ());\n}\n',
        exits=RUST_SUM + 'fn main() {\n    println!("{}", sum());\n    std::process::exit(3);\n}\n',
        endless=RUST_SUM + 'fn main() {\n    let n = sum();\n    println!("{n}");\n    while n > 100 {}\n}\n',
        floods='fn main() {\n    loop {\n        println!("{}", "1".repeat(1000));\n    }\n}\n',
        littering=RUST_SUM
        + """fn main() {
    if std::fs::read_dir(".").unwrap().count() == 0 {
        std::fs::write("left", "").unwrap();
        println!("{}", sum());
    }
}
""",
        silent_child=RUST_SUM
        + """fn main() {
    let _ = std::process::Command::new("/bin/sleep").arg("100").spawn();
    std::thread::spawn(|| loop {});
    println!("{}", sum());
}
""",
    )
