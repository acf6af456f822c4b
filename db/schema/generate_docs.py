#!/usr/bin/env python3
"""Makes docs/schema.md from the comments of the .sql files here. --check: exit 1 unless it is current.

A comment block directly above a CREATE describes the table or view; a comment behind a column describes the
column; so does one behind `ALTER TABLE … ADD COLUMN …;`. A view that a later migration defines anew is described there only.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TARGET = FOLDER.parent.parent / "docs" / "schema.md"
HEAD = """# The trace's schema

Made from the comments in `db/schema/*.sql` by `db/schema/generate_docs.py`; do not edit.

Schema version {version} (`PRAGMA user_version`; `PRAGMA application_id` is 0x63756954). A reader refuses other versions. All `*_ns`
columns are nanoseconds of CLOCK_MONOTONIC on the traced host; addresses are byte addresses, in shared memory
offsets in the block's window. What the metrics mean is in [metrics.md](metrics.md).

Open a trace with any SQLite client: `sqlite3 trace.db "SELECT * FROM hot_site"`.
"""


def blocks(text):
    """(comment, statement) of each CREATE TABLE or VIEW."""
    comment, statement = [], []
    for line in text.splitlines():
        if statement or re.match(r"CREATE (TABLE|VIEW)\b", line):
            statement.append(line)
            if re.search(r";\s*(--.*)?$", line):
                yield " ".join(comment), "\n".join(statement)
                comment, statement = [], []
        elif line.startswith("--"):
            comment.append(line[2:].strip())
        else:
            comment = []


def columns(statement):
    """(name, type and constraints, comment) of each column of a CREATE TABLE."""
    if re.match(r"CREATE TABLE \w+\(\w+ [A-Z ]+\);", statement):
        name, kind = re.search(r"\((\w+) ([A-Z ]+)\)", statement).groups()
        yield name, kind, ""
        return
    for line in statement.splitlines()[1:]:
        match = re.match(r"\s+([a-z]\w*)\b\s*([^-]*?),?\s*(?:--\s*(.*))?$", line)
        if match:
            yield match.group(1), match.group(2).strip(), match.group(3) or ""


def added_columns(texts):
    """{table: its columns of later migrations, as columns() gives them}"""
    added = {}
    for text in texts:
        for table, name, kind, comment in re.findall(
                r"^ALTER TABLE (\w+) ADD COLUMN (\w+) ([^;]*);(?: *-- *(.*))?$", text, re.MULTILINE):
            added.setdefault(table, []).append((name, kind, comment))
    return added


def escape(text):
    return text.replace("|", "\\|")


def document():
    migrations = sorted(FOLDER.glob("[0-9]*.sql"))
    parts = [HEAD.format(version=int(migrations[-1].name.split("_")[0]))]
    added = added_columns(path.read_text() for path in migrations)
    last = {name: path for path in migrations
            for name in re.findall(r"^CREATE (?:TABLE|VIEW) (\w+)", path.read_text(), re.MULTILINE)}
    for path in [*migrations, FOLDER / "materialized.sql", FOLDER / "materialized_views.sql"]:
        text = path.read_text()
        if not re.search("^CREATE", text, re.MULTILINE):
            continue  # only columns of tables that are there
        title = {"trace": "Tables", "views": "Views", "materialized": "Single accesses",
                 "chunks_and_nsight": "Chunk index, and Nsight's names",
                 "barrier": "Barriers", "warps": "Warps of a GPU", "processes": "Processes of merged traces",
                 "materialized_views": "Single accesses: views"}
        name = re.sub(r"^\d+_", "", path.stem)
        parts.append(f"## {title.get(name, name)}\n")
        intro = re.match(r"((?:--.*\n)+)\n", text)
        if intro:
            parts.append(" ".join(l[2:].strip() for l in intro.group(1).splitlines()) + "\n")
        for comment, statement in blocks(text):
            kind, name = re.match(r"CREATE (TABLE|VIEW) (\w+)", statement).groups()
            if last.get(name, path) != path:
                continue
            parts.append(f"### {name}\n\n{comment}\n")
            if kind == "VIEW":
                parts.append(f"```sql\n{statement}\n```\n")
            else:
                parts.append("| column | type | meaning |\n|---|---|---|")
                parts.extend(f"| {n} | {escape(t)} | {escape(c)} |" for n, t, c in [*columns(statement), *added.get(name, [])])
                key = re.search(r"^  (PRIMARY KEY|UNIQUE)\((.*)\)$", statement, re.MULTILINE)
                parts.append(f"\n{key.group(1).capitalize()}: {key.group(2)}.\n" if key else "")
    return "\n".join(parts).rstrip() + "\n"


def main():
    text = document()
    if "--check" in sys.argv[1:]:
        if not TARGET.exists() or TARGET.read_text() != text:
            sys.exit(f"{TARGET} is not current: run python3 db/schema/generate_docs.py")
    else:
        TARGET.write_text(text)


if __name__ == "__main__":
    main()
