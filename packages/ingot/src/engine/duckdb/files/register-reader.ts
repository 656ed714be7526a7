import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { duckdb } from "../node-api.js";

/** Rows that DuckDB takes at a time, and characters that we hold for it. */
const VECTOR_SIZE = 2048;
const VECTOR_TEXT = 1 << 23;

export interface Reader {
  readonly name: string;
  readonly parameterTypes: readonly DuckDBType[];
  readonly columns: Readonly<Record<string, DuckDBType>>;
  /** The rows, values in the order of the columns, for the values of the parameters. */
  readonly read: (parameters: readonly DuckDBValue[]) => Iterator<DuckDBValue[]>;
}

/** Registers a table function whose rows come one after the other out of a reader of ours. */
export function registerReader(connection: DuckDBConnection, { name, parameterTypes, columns, read }: Reader): void {
  connection.registerTableFunction(
    duckdb.DuckDBTableFunction.create({
      name,
      parameterTypes,
      bindFunction(info) {
        for (const [column, type] of Object.entries(columns)) info.addResultColumn(column, type);
        info.setBindData({ parameters: parameterTypes.map((_, i) => info.getParameter(i)) });
      },
      initFunction(info) {
        const { parameters } = info.getBindData() as { parameters: DuckDBValue[] };
        info.setInitData({ rows: read(parameters) });
        info.setMaxThreads(1);
      },
      mainFunction(info, output) {
        const { rows: source } = info.getInitData() as { rows: Iterator<DuckDBValue[]> };
        const rows: DuckDBValue[][] = [];
        for (let length = 0; rows.length < VECTOR_SIZE && length < VECTOR_TEXT; ) {
          const next = source.next();
          if (next.done === true) break;
          rows.push(next.value);
          for (const value of next.value) if (typeof value === "string") length += value.length;
        }
        output.rowCount = rows.length;
        output.setRows(rows);
      },
    }),
  );
}
