import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { IngotError } from "../../model/error.js";
import { splitRecord } from "../../sources/files/split-record.js";
import { parseDate, parseLocalTimestamp, parseTimestamp } from "./csv-datetime.js";
import { numberOfLine, registerCsvLines } from "./csv-lines.js";
import { decimalText, floatingText, integerText } from "./csv-number.js";
import { duckdb } from "./node-api.js";

const { BIGINT, BOOLEAN, DATE, DuckDBDateValue, DuckDBScalarFunction, INTEGER, LIST, listValue, VARCHAR } = duckdb;

/**
 * Registers the functions that {@link csvRelation} calls where DuckDB's own cannot do as Spark does. They serve all
 * connections of the instance, and one registration is enough.
 */
export async function registerCsvFunctions(connection: DuckDBConnection): Promise<void> {
  const regions = await timeZones(connection);
  registerCsvLines(connection);
  register(
    connection,
    "csv_split",
    [VARCHAR, VARCHAR, VARCHAR, VARCHAR],
    LIST(VARCHAR),
    (line, sep, quote, escapeChar) => listValue(splitRecord(line, { sep, quote, escape: escapeChar })),
  );
  register(connection, "csv_integer", [VARCHAR], VARCHAR, integerText);
  register(connection, "csv_decimal", [VARCHAR, INTEGER], VARCHAR, (text, scale) => decimalText(text, Number(scale)));
  register(connection, "csv_floating", [VARCHAR], VARCHAR, floatingText);
  register(connection, "csv_date", [VARCHAR], DATE, (text) => {
    const days = parseDate(text);
    return days === undefined ? undefined : new DuckDBDateValue(days);
  });
  register(connection, "csv_timestamp", [VARCHAR], BIGINT, (text) => parseTimestamp(text, regions));
  register(connection, "csv_timestamp_ntz", [VARCHAR], BIGINT, parseLocalTimestamp);
  register(connection, "csv_malformed", [VARCHAR, VARCHAR, VARCHAR], BOOLEAN, refuseRecord, { volatile: true });
}

/** Stops the query at a record that does not fit. Equal lines fit equally badly, so the first one is named. */
function refuseRecord(record: string, path: string, reason: string): never {
  const place = `${path}:${numberOfLine(path, record) ?? "?"}`;
  const text = record.length > 1000 ? `${record.slice(0, 1000)}…` : record;
  throw new IngotError("MALFORMED_RECORD", `${place}: a record does not fit the schema: ${reason}. Record: ${text}`, {
    hint: "Add a STRING column to the schema and name it in columnNameOfCorruptRecord to keep such records.",
  });
}

/** Names of ICU's time zones that Java does not know. */
const NOT_IN_JAVA = new Set(["Canada/East-Saskatchewan", "Factory", "ROC", "US/Pacific-New"]);

async function timeZones(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const result = await connection.runAndReadAll("SELECT DISTINCT name FROM pg_timezone_names()");
  const names = result.getRows().map(([name]) => String(name));
  return new Set(names.filter((name) => !NOT_IN_JAVA.has(name)));
}

/**
 * The first argument stands behind a character that is dropped here: node-api loses a byte order mark at the start of
 * a text. Of the others the first row stands for all: they are constants of the query, or the first row raises.
 * `volatile`: the optimizer may not evaluate the call in another place.
 */
function register(
  connection: DuckDBConnection,
  name: string,
  parameterTypes: readonly DuckDBType[],
  returnType: DuckDBType,
  convert: (value: string, ...constants: string[]) => DuckDBValue | undefined,
  options: { readonly volatile?: boolean } = {},
): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes,
      returnType,
      ...options,
      mainFunction(info, input, output) {
        const values = input.getColumnVector(0);
        const constants = parameterTypes.slice(1).map((_, i) => String(input.getColumnVector(i + 1).getItem(0)));
        try {
          for (let row = 0; row < input.rowCount; row++) {
            const value = values.getItem(row);
            output.setItem(row, value === null ? null : (convert(String(value).slice(1), ...constants) ?? null));
          }
          output.flush();
        } catch (error) {
          if (!(error instanceof IngotError)) throw error;
          info.setError(`[${error.code}] ${error.message} ${error.hint ?? ""}`);
        }
      },
    }),
  );
}
