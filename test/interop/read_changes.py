"""read_changes.py FROM TABLE...: prints a JSON list with the change feed of each table from a version on, as delta-rs reads it.

What cannot be read is an object {"error": text} in its place.
"""

import json
import sys

import pyarrow
from delta_values import each, render, type_name
from deltalake import DeltaTable

version = int(sys.argv[1])


def read(path):
    table = DeltaTable(path)
    fields = json.loads(table.schema().to_json())["fields"] + [
        {"name": "_change_type", "type": "string"},
        {"name": "_commit_version", "type": "long"},
    ]
    rows = pyarrow.table(table.load_cdf(starting_version=version)).to_pylist()
    return {
        "columns": [{"name": field["name"], "type": type_name(field["type"])} for field in fields],
        "rows": [[render(row[field["name"]], field["type"]) for field in fields] for row in rows],
    }


json.dump(each(read, sys.argv[2:]), sys.stdout)
