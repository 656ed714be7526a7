import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { HOST_FUNCTIONS } from "../../sql/functions/host/all.js";
import {
  type HostFunction,
  type HostType,
  type HostValue,
  SparkCondition,
} from "../../sql/functions/host/host-function.js";
import { duckdb } from "./node-api.js";

/** Makes the functions known that lowered queries call: once, for all connections of the instance. */
export function registerHostFunctions(connection: DuckDBConnection): void {
  for (const fn of HOST_FUNCTIONS) register(connection, fn);
}

function register(connection: DuckDBConnection, fn: HostFunction): void {
  const run = fn.run as (...values: readonly unknown[]) => HostValue | undefined;
  connection.registerScalarFunction(
    duckdb.DuckDBScalarFunction.create({
      name: fn.name,
      parameterTypes: fn.takes.map(parameterType),
      returnType: resultType(fn.gives),
      mainFunction(info, input, output) {
        const columns = fn.takes.map((_, i) => input.getColumnVector(i));
        try {
          for (let row = 0; row < input.rowCount; row++) {
            const values = columns.map((column, i) => fromDuckdb(column.getItem(row), fn.takes[i]));
            const result = values.includes(null) ? undefined : run(...values);
            output.setItem(row, result === undefined ? null : toDuckdb(result));
          }
          output.flush();
        } catch (error) {
          if (!(error instanceof SparkCondition)) throw error;
          info.setError(error.message);
        }
      },
    }),
  );
}

function parameterType(type: HostType): DuckDBType {
  return type === "string" ? duckdb.BLOB : resultType(type);
}

function resultType(type: HostType): DuckDBType {
  switch (type) {
    case "string":
      return duckdb.VARCHAR;
    case "binary":
      return duckdb.BLOB;
    case "boolean":
      return duckdb.BOOLEAN;
    case "int":
      return duckdb.INTEGER;
    case "bigint":
      return duckdb.BIGINT;
    case "double":
      return duckdb.DOUBLE;
    case "strings":
      return duckdb.LIST(duckdb.VARCHAR);
  }
}

function fromDuckdb(value: DuckDBValue, type: HostType | undefined): unknown {
  if (value === null) return null;
  if (value instanceof duckdb.DuckDBBlobValue)
    return type === "string" ? Buffer.from(value.bytes).toString("utf8") : value.bytes;
  return value;
}

function toDuckdb(value: HostValue): DuckDBValue {
  if (value instanceof Uint8Array) return duckdb.blobValue(value);
  if (typeof value === "object") return duckdb.listValue(value);
  return value;
}
