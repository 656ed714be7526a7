"""merge_deltalake.py TABLE DATA...: a table of these Parquet files by delta-rs, which prints nothing.
merge_deltalake.py TABLE --merge BATCH KEYS: merges a batch, and prints seconds and memory of the merge as JSON.
"""

import json
import resource
import sys
import time

import pyarrow.dataset
import pyarrow.parquet
from deltalake import DeltaTable, write_deltalake

table, *rest = sys.argv[1:]
if rest[0] != "--merge":
    write_deltalake(table, pyarrow.dataset.dataset(rest).scanner(batch_size=65536).to_reader())
    sys.exit()

_, batch, keys = rest
source = pyarrow.parquet.read_table(batch)
predicate = " AND ".join(f"t.{key} = s.{key}" for key in keys.split(","))
before = resource.getrusage(resource.RUSAGE_SELF)
started = time.perf_counter()
metrics = (
    DeltaTable(table)
    .merge(source, predicate, source_alias="s", target_alias="t")
    .when_matched_delete("s.op = 'D'")
    .when_matched_update_all(except_cols=["op"])
    .when_not_matched_insert_all("s.op <> 'D'", except_cols=["op"])
    .execute()
)
wall = time.perf_counter() - started
after = resource.getrusage(resource.RUSAGE_SELF)
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
rows = {
    "updated": metrics["num_target_rows_updated"],
    "deleted": metrics["num_target_rows_deleted"],
    "inserted": metrics["num_target_rows_inserted"],
    "copied": metrics["num_target_rows_copied"],
}
print(json.dumps({"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), "peak_mib": after.ru_maxrss // 1024, "rows": rows}))
