"""What answers.py and its cases share: running programs in the working folder, and failing with a message."""
import json
import os
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

options = SimpleNamespace(source=None, bin=None, work=None)  # answers.py fills them in


def check(condition, message):
    if not condition:
        print(message)
        sys.exit(1)


def run(*command, expected=0, cwd=None, **environment):
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    result = subprocess.run([str(c) for c in command], cwd=cwd or options.work, env={**variables, **environment},
                            capture_output=True, text=True, timeout=60)
    check(result.returncode == expected, f"{command}: exit {result.returncode}, expected {expected}\n"
                                         f"{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result


def tool(*arguments, **how):
    return run(options.bin / "cuinstrument", *arguments, **how)


def whatif(*arguments):
    return json.loads(tool("whatif", "plain.db", *arguments, "--format", "json").stdout)


def totals(name, function):
    """What a kernel cost in the trace of a variant."""
    with sqlite3.connect(options.work / f"{name}.db") as trace:
        row = trace.execute("SELECT sum(requests), sum(sectors), sum(wavefronts), sum(bank_conflicts) FROM site_metric"
                            " JOIN site USING(site_id) WHERE function = ?", [function]).fetchone()
    return dict(zip(("requests", "sectors", "wavefronts", "bank_conflicts"), row))


def predicted(result, function):
    sites = [s["after"] for s in result["sites"] if s["function"] == function]
    return {name: sum(s[name] for s in sites) for name in ("requests", "sectors", "wavefronts", "bank_conflicts")}
