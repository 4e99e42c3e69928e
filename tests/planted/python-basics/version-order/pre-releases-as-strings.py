import re

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*))?")


def sort_versions(versions: list[str]) -> list[str]:
    return sorted(versions, key=_key)


def _key(version):
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ValueError(f"not a version: {version!r}")
    *numbers, pre_release = found.groups()
    parts = pre_release or ""
    return [int(number) for number in numbers], pre_release is None, parts
