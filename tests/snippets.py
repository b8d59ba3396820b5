"""Code and commands in README, guides and pages of the book, with the extras that their sections name."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lessons_lib.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
        *(ROOT / folder / "README.md" for folder in ("classroom", "exercises", "tools")),
        *(ROOT / "book").glob("*.md"),
        *(ROOT / "book" / "api").glob("*.md"),
    ]
)


@dataclass(frozen=True)
class Snippet:
    """One code block of a page.

    Attributes:
        place: Page and line of the block.
        title: Heading, or line of bold words, above it.
        language: Language of the block; "" if not stated.
        code: Content of the block.
        extras: Extras named before it in its section.
    """

    place: str
    title: str
    language: str
    code: str
    extras: frozenset[str]

    def commands(self) -> list[str]:
        """Return the commands without comments, with continued lines joined."""
        lines = self.code.replace("\\\n", " ").splitlines()
        return [command for line in lines if (command := re.sub(r"(^|\s+)#.*", "", line).strip())]


def name_of(page: Path) -> str:
    """Return the path of a page in the repository."""
    return page.relative_to(ROOT).as_posix()


def snippets(page: Path, *languages: str) -> Iterator[Snippet]:
    """Yield the code blocks of a page in some languages, without directives."""
    title, section, fence, opened = "", "", list[str](), ""
    for number, line in enumerate(page.read_text(encoding="utf8").splitlines(), 1):
        if opened:
            if line.strip() == "```":
                language, begun = opened.split(":")
                if language in languages:
                    named = frozenset(re.findall(r"`\[(\w+)\]` extra", section)).intersection(EXTRAS)
                    yield Snippet(f"{name_of(page)}:{begun}", title, language, "\n".join(fence) + "\n", named)
                opened = ""
            else:
                fence.append(line)
        elif found := re.match(r"```(\S*)", line):
            opened, fence = f"{found[1]}:{number}", []
        else:
            if heading := re.match(r"#+ (.*)|\*\*([^*]+)\*\*$", line):
                title = heading[1] or heading[2]
            section = "" if line.startswith("#") else f"{section}\n{line}"


def without_settings(command: str) -> list[str]:
    """Return the words of a command without variables, `sudo` and redirection."""
    words = shlex.split(command.partition(" > ")[0])
    while words and (words[0] in ("sudo", "export") or re.fullmatch(r"\w+=.*", words[0])):
        words.pop(0)
    return words
