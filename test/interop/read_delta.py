"""read_delta.py TABLE...: prints a JSON list with the columns and rows of each Delta table, as delta-rs reads it.

What cannot be read is an object {"error": text} in its place.
"""

import json
import sys

import pyarrow
from delta_values import each, render, type_name
from deltalake import DeltaTable, QueryBuilder


def read(path):
    table = DeltaTable(path)
    fields = json.loads(table.schema().to_json())["fields"]
    batches = QueryBuilder().register("t", table).execute("SELECT * FROM t")
    rows = pyarrow.table(batches).to_pylist()
    return {
        "columns": [{"name": field["name"], "type": type_name(field["type"])} for field in fields],
        "rows": [[render(row[field["name"]], field["type"]) for field in fields] for row in rows],
    }


json.dump(each(read, sys.argv[1:]), sys.stdout)
