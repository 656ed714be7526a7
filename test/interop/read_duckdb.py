"""read_duckdb.py TABLE...: prints a JSON list with the columns and rows of each table, as DuckDB's delta extension reads it.

What cannot be read is an object {"error": text} in its place.
"""

import json
import sys
from pathlib import Path

import duckdb
import duckdb_extension_delta
from delta_values import each, render, type_name

KINDS = {
    "tinyint": "byte",
    "smallint": "short",
    "integer": "integer",
    "bigint": "long",
    "float": "float",
    "double": "double",
    "varchar": "string",
    "blob": "binary",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp_ntz",
    "timestamp with time zone": "timestamp",
}


def kind(type_):
    """The Delta type of a DuckDB type."""
    if type_.id == "decimal":
        precision, scale = (value for _, value in type_.children)
        return f"decimal({precision},{scale})"
    if type_.id == "struct":
        return {"type": "struct", "fields": [{"name": name, "type": kind(child)} for name, child in type_.children]}
    if type_.id == "list":
        return {"type": "array", "elementType": kind(type_.children[0][1])}
    if type_.id == "map":
        (_, key), (_, value) = type_.children
        return {"type": "map", "keyType": kind(key), "valueType": kind(value)}
    return KINDS[str(type_).lower()]


def read(connection, path):
    result = connection.execute("SELECT * FROM delta_scan(?)", [path])
    columns = [(name, kind(type_)) for name, type_, *_ in result.description]
    # Its own way to Python needs another package for timestamps with a time zone, and makes maps to dictionaries.
    rows = result.to_arrow_table().to_pylist()
    return {
        "columns": [{"name": name, "type": type_name(kind_)} for name, kind_ in columns],
        "rows": [[render(row[name], kind_) for name, kind_ in columns] for row in rows],
    }


connection = duckdb.connect()
folder = Path(duckdb_extension_delta.__file__).parent / "extensions" / f"v{duckdb.__version__}"
connection.execute(f"LOAD '{folder / 'delta.duckdb_extension'}'")
connection.execute("SET TimeZone = 'UTC'")
json.dump(each(lambda path: read(connection, path), sys.argv[1:]), sys.stdout)
