"""BigCodeBench, read as cases."""

from __future__ import annotations

from pathlib import Path

import dataset_rows as rows_of
from dataset_rows import read_task


def test_libraries_of_bigcodebench_are_dependencies(tmp_path: Path):
    row = {
        **rows_of.BIGCODEBENCH,
        "complete_prompt": "import numpy as np\nfrom sklearn.svm import SVC\ndef double(n):\n",
    }

    assert [each["name"] for each in read_task(row, tmp_path).case["dependencies"]] == ["numpy", "scikit-learn"]
    assert "dependencies" not in read_task(rows_of.BIGCODEBENCH, tmp_path).case


def test_a_library_that_another_one_loads_is_a_dependency_too(tmp_path: Path):
    row = {**rows_of.BIGCODEBENCH, "canonical_solution": "    import pandas\n    return pandas.read_html('')\n"}

    assert [each["name"] for each in read_task(row, tmp_path).case["dependencies"]] == ["lxml", "pandas"]
