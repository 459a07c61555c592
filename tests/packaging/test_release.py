"""What a release is made of: the lock file, the metadata, the notes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hatch_build import page, repository

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = tomllib.loads((ROOT / "uv.lock").read_text())["package"]


def wanted():
    """All that the project asks for, extras included."""
    lists = (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    found = (Requirement(line) for lines in lists for line in lines)
    return [one for one in found if one.name != "waybill"]


def test_the_lock_has_every_library_in_a_version_that_is_asked_for():
    locked = {}
    for package in LOCK:
        locked.setdefault(package["name"], []).append(package.get("version", ""))
    for one in wanted():
        versions = locked.get(canonicalize_name(one.name), [])
        assert versions and all(one.specifier.contains(v) for v in versions), f"make lock: {one}"


def test_every_file_of_the_lock_has_a_hash_and_comes_from_the_public_index():
    libraries = [package for package in LOCK if package["name"] != "waybill"]
    for package in libraries:
        assert package["source"] == {"registry": "https://pypi.org/simple"}
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert files and all(file["hash"].startswith("sha256:") for file in files)
        assert all(file["url"].startswith("https://files.pythonhosted.org/") for file in files)


def test_the_notes_have_this_version():
    notes = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert notes[0] == "Unreleased" and notes[1] == PROJECT["version"]


def test_the_metadata_say_who_what_and_by_which_licenses():
    assert PROJECT["authors"] == [{"name": "The Waybill authors"}]
    assert PROJECT["license"] == "MIT AND Apache-2.0"
    texts = [(ROOT / name).read_text() for name in PROJECT["license-files"]]
    assert texts[0].startswith("MIT License") and "Apache License" in texts[1]
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert all((ROOT / package / "py.typed").is_file() for package in ("engine", "service"))


def test_the_page_of_an_index_has_no_link_that_leads_nowhere():
    readme = (ROOT / "README.md").read_text()
    text = page(readme)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert all(link.startswith("https:") for link in links)
    assert "<img" not in text and "<!--" not in text
    within = re.findall(r"(?<!!)\[([^\]]+)\]\((?!https:)[^)]+\)", readme)
    assert within and all(words in text for words in within)


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("https://git.example.org/ann/waybill.git", "https://git.example.org/ann/waybill"),
        ("https://ann:secret@git.example.org/ann/waybill", ""),
        ("git@git.example.org:ann/waybill.git", "https://git.example.org/ann/waybill"),
        ("ssh://git@git.example.org/ann/waybill", "https://git.example.org/ann/waybill"),
        ("/home/ann/waybill", ""),
        ("file:///home/ann/waybill", ""),
        ("../waybill.git", ""),
        ("", ""),
    ],
)
def test_the_metadata_name_the_repository_that_was_cloned(origin, address):
    assert repository(origin) == address
