"""append_by_deltalake.py TABLE COUNT: appends COUNT commits of one row to a table by delta-rs, then prints its version and
the ids that it reads, as JSON. Ids are negative: -1, -2, ... Credentials and endpoint come from the environment."""

import json
import sys

import pyarrow
from deltalake import CommitProperties, DeltaTable, QueryBuilder, write_deltalake

path, count = sys.argv[1], int(sys.argv[2])
for index in range(count):
    rows = pyarrow.table({"id": pyarrow.array([-1 - index], pyarrow.int64())})
    write_deltalake(path, rows, mode="append", commit_properties=CommitProperties(max_commit_retries=100))
table = DeltaTable(path)
batches = QueryBuilder().register("t", table).execute("SELECT id FROM t ORDER BY id")
ids = pyarrow.table(batches).column("id").to_pylist()
json.dump({"version": table.version(), "ids": ids}, sys.stdout)
