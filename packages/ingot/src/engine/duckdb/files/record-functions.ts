import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { IngotError } from "../../../model/error.js";
import { duckdb } from "../node-api.js";
import { numberOfLine } from "./csv/read-lines.js";

const { BIGINT, BOOLEAN, DuckDBListValue, DuckDBScalarFunction, LIST, VARCHAR } = duckdb;

/** Registers what becomes of records that do not fit: see record-columns.ts. */
export function registerRecordFunctions(connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "malformed_record",
      parameterTypes: [VARCHAR, VARCHAR, VARCHAR, VARCHAR, BIGINT],
      returnType: BOOLEAN,
      specialHandling: true,
      // The optimizer may not evaluate the call in another place.
      volatile: true,
      mainFunction(info, input) {
        if (input.rowCount === 0) return;
        const [record, path, text, reason, line] = [0, 1, 2, 3, 4].map((i) => input.getColumnVector(i).getItem(0));
        // Equal records fit equally badly, so the first one is named.
        const place = `${path}:${line ?? numberOfLine(String(text), String(record).slice(1)) ?? "?"}`;
        info.setError(errorText(malformed(String(record).slice(1), place, String(reason))));
      },
    }),
  );
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "rescued_data",
      parameterTypes: [LIST(LIST(VARCHAR)), VARCHAR, VARCHAR, BIGINT, VARCHAR],
      returnType: VARCHAR,
      specialHandling: true,
      mainFunction(_, input, output) {
        const [pairs, fault, record, line, path] = [0, 1, 2, 3, 4].map((i) => input.getColumnVector(i));
        for (let row = 0; row < input.rowCount; row++) {
          const rescued = Object.fromEntries(pairsOf(pairs?.getItem(row) ?? null));
          const reason = fault?.getItem(row) ?? null;
          if (reason !== null) rescued["_reason"] = String(reason);
          const text = record?.getItem(row) ?? null;
          if (text !== null) rescued["_record"] = String(text).slice(1);
          const number = line?.getItem(row) ?? null;
          const place = {
            ...(number === null ? {} : { _line: Number(number) }),
            _file_path: String(path?.getItem(row)),
          };
          output.setItem(row, JSON.stringify({ ...rescued, ...place }));
        }
        output.flush();
      },
    }),
  );
}

/** Lists of names and values in turn, the values behind a point; a list or a value may be null. */
function pairsOf(lists: DuckDBValue): [string, string][] {
  const pairs: [string, string][] = [];
  if (!(lists instanceof DuckDBListValue)) return pairs;
  for (const list of lists.items) {
    if (!(list instanceof DuckDBListValue)) continue;
    for (let i = 0; i + 1 < list.items.length; i += 2) {
      const value = list.items[i + 1];
      if (value !== null) pairs.push([String(list.items[i]), String(value).slice(1)]);
    }
  }
  return pairs;
}

function malformed(record: string, place: string, reason: string): IngotError {
  const start = record.length > 1000 ? `${record.slice(0, 1000)}…` : record;
  return new IngotError("MALFORMED_RECORD", `${place}: a record does not fit the schema: ${reason}. Record: ${start}`, {
    hint: "Set rescuedDataColumn => '_rescued_data' to keep what does not fit, or with a schema name one of its STRING columns in columnNameOfCorruptRecord.",
  });
}

/** An error of ours in DuckDB's words, from which `errors.ts` makes it again. */
export function errorText({ code, message, hint }: IngotError): string {
  return `[${code}] ${message} ${hint ?? ""}`;
}
