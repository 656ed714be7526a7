"""operate_delta.py TABLE: carries out the operations of a JSON list on standard input, one commit each, by delta-rs.

{"delete": predicate} {"update": {column: expression}, "where": predicate} {"optimize": true} {"zorder": [columns]}
{"merge": rows, "on": predicate, "columns": [...]} {"checkpoint": true} {"vacuum": hours} {"restore": version}
{"overwrite": rows, "where": predicate} {"properties": {...}} {"constraint": {name: expression}} {"addColumns": fields}
"""

import json
import sys

import pyarrow
from delta_values import parse
from deltalake import DeltaTable, Field, write_deltalake

path = sys.argv[1]


def relation(table, rows):
    fields = json.loads(table.schema().to_json())["fields"]
    parsed = [
        {field["name"]: parse(value, field["type"]) for field, value in zip(fields, row, strict=True)} for row in rows
    ]
    return pyarrow.Table.from_pylist(parsed, schema=pyarrow.schema(table.schema().to_arrow()))


def operate(table, step):
    if "delete" in step:
        table.delete(step["delete"])
    elif "update" in step:
        table.update(updates=step["update"], predicate=step.get("where"))
    elif "optimize" in step:
        table.optimize.compact()
    elif "zorder" in step:
        table.optimize.z_order(step["zorder"])
    elif "merge" in step:
        source = relation(table, step["merge"])
        merge = table.merge(source, predicate=step["on"], source_alias="s", target_alias="t")
        merge.when_matched_update_all().when_not_matched_insert_all().execute()
    elif "checkpoint" in step:
        table.create_checkpoint()
    elif "vacuum" in step:
        table.vacuum(retention_hours=step["vacuum"], dry_run=False, enforce_retention_duration=False)
    elif "restore" in step:
        table.restore(step["restore"])
    elif "overwrite" in step:
        write_deltalake(path, relation(table, step["overwrite"]), mode="overwrite", predicate=step.get("where"))
    elif "properties" in step:
        table.alter.set_table_properties(step["properties"])
    elif "constraint" in step:
        table.alter.add_constraint(step["constraint"])
    elif "addColumns" in step:
        table.alter.add_columns([Field.from_json(json.dumps(field)) for field in step["addColumns"]])
    else:
        raise ValueError(f"no operation: {step}")


for step in json.load(sys.stdin):
    operate(DeltaTable(path), step)
