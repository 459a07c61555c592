"""Prepares the documents for the website: they are written for readers of the repository.

The pages of the root join those of `docs`, examples get a title that says who writes them, and the
parts of examples that only the tests read are left out.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
#: files of the root, and what they are called on the website
ROOT_PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "LICENSE": "LICENSE.md",
}
HIDDEN = re.compile(r"^<!--.*?-->\n", re.M | re.S)
FENCE = re.compile(r"^```(\w+) ?(.*)$", re.M)
#: kinds of examples, and the titles of their blocks; others keep their language
EXAMPLES = {
    "mail": "{name} writes",
    "refused": "{name} writes, and Waybill refuses it",
    "receipt": "The receipt says",
    "game": "",
    "order": "",
    "rehearsal": "",
    "form": "",
    "digest": "",
    "scores": "{name}",
}
LINK = re.compile(r"\]\((?:\.\./)?(?:docs/)?([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root."""
    for name, there in ROOT_PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, there, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leave out what only tests read, and name what the website can show."""
    shown = FENCE.sub(lambda found: _fence(found[1], found[2]), HIDDEN.sub("", markdown))
    shown = shown.replace('src="docs/', 'src="')
    return LINK.sub(lambda found: f"]({_there(found[1])})", shown)


def _fence(kind: str, name: str) -> str:
    if kind not in EXAMPLES:
        return f"```{kind}"
    title = EXAMPLES[kind].format(name=name)
    return f'```text title="{title}"' if title else "```text"


def _there(link: str) -> str:
    path, mark, anchor = link.partition("#")
    return ROOT_PAGES.get(path, path) + mark + anchor
