import re

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*))?")


def sort_versions(versions: list[str]) -> list[str]:
    versions.sort(key=_key)
    return versions


def _key(version):
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ValueError(f"not a version: {version!r}")
    *numbers, pre_release = found.groups()
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in (pre_release or "").split(".")]
    return [int(number) for number in numbers], pre_release is None, parts
