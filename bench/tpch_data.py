"""TPC-H's tables as Parquet files and its 22 queries as DuckDB writes them: tpch_data.py FOLDER SCALE_FACTOR"""

import json
import os
import sys

import duckdb
import duckdb_extension_tpch

folder, scale_factor = sys.argv[1], float(sys.argv[2])
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
extension = os.path.dirname(duckdb_extension_tpch.__file__)
files = [os.path.join(path, name) for path, _, names in os.walk(extension) for name in names if name.endswith(".duckdb_extension")]
connection.execute(f"LOAD '{files[0]}'")
connection.execute(f"CALL dbgen(sf = {scale_factor})")
tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
for name in tables:
    connection.execute(f"COPY {name} TO '{os.path.join(folder, name)}.parquet' (FORMAT parquet)")
queries = [query for (query,) in connection.execute("SELECT query FROM tpch_queries() ORDER BY query_nr").fetchall()]
with open(os.path.join(folder, "queries.json"), "w") as file:
    json.dump({"tables": tables, "queries": queries}, file)
