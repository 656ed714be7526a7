"""append_delta.py TABLE [SCHEMA]: appends the rows (a JSON list of lists on standard input) by delta-rs.

SCHEMA, a Delta schema as JSON, makes a table that is not there yet.
"""

import json
import sys

import pyarrow
from delta_values import parse
from deltalake import DeltaTable, Schema, write_deltalake

path = sys.argv[1]
schema = Schema.from_json(sys.argv[2]) if len(sys.argv) > 2 else DeltaTable(path).schema()
fields = json.loads(schema.to_json())["fields"]
rows = [
    {field["name"]: parse(value, field["type"]) for field, value in zip(fields, row, strict=True)}
    for row in json.load(sys.stdin)
]
write_deltalake(path, pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(schema.to_arrow())), mode="append")
