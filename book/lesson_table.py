"""Write the README's table of lessons: numbers and titles from the notebooks, the core track from `lesson.yml`.

`python book/lesson_table.py` writes the table between its two markers; `--check` only reports one that is out of date.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from lesson_pages import read_lesson  # noqa: E402
from syllabus import syllabus  # noqa: E402

README = ROOT / "README.md"
BEGIN, END = "<!-- lessons: python book/lesson_table.py -->\n", "<!-- end of the lessons -->\n"


def table() -> str:
    """Return the table, the lessons of the core track in bold."""
    rows = ["| lesson | question |", "|---|---|"]
    for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        number = path.stem[:2]
        bold = "**" if syllabus()[int(number)].place else ""
        title = read_lesson(ROOT, f"notebooks/{path.stem}", int(number)).title
        rows.append(f"| {bold}[{number}](notebooks/{path.name}){bold} | {title} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    """Write the table, or check it; return the exit status."""
    before, _, rest = (text := README.read_text(encoding="utf8")).partition(BEGIN)
    _, marker, after = rest.partition(END)
    if not marker:
        print(f"README.md needs the lines {BEGIN.strip()} and {END.strip()}")
        return 1
    expected = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if "--check" in sys.argv[1:]:
        if text != expected:
            print("README.md: the table of lessons is out of date; run python book/lesson_table.py")
        return int(text != expected)
    README.write_text(expected, encoding="utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
