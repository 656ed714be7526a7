import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { IngotError } from "../../../model/error.js";
import { readRecord } from "../../../sources/files/split-record.js";
import { duckdb } from "../node-api.js";
import { parseDate, parseLocalTimestamp, parseTimestamp } from "./csv/datetime.js";
import { decimalText, floatingText, integerText } from "./csv/number.js";
import { quotedList, quoteOf } from "./csv/quoted-list.js";
import { registerCsvLines } from "./csv/read-lines.js";
import { registerCsvRecords } from "./csv/read-records.js";
import { registerJsonRecords } from "./json/read-json.js";
import { errorText, registerRecordFunctions } from "./record-functions.js";

const { BIGINT, DATE, DuckDBDateValue, DuckDBScalarFunction, INTEGER, LIST, listValue, VARCHAR } = duckdb;

/**
 * Registers the functions that the relations of files call where DuckDB's own cannot do as Spark does. They serve all
 * connections of the instance, and one registration is enough.
 */
export async function registerFileFunctions(connection: DuckDBConnection): Promise<void> {
  const regions = await timeZones(connection);
  registerCsvLines(connection);
  registerCsvRecords(connection);
  registerJsonRecords(connection, regions);
  registerRecordFunctions(connection);
  register(connection, "csv_split", Array(6).fill(VARCHAR), LIST(VARCHAR), splitFields);
  register(connection, "csv_integer", [VARCHAR], VARCHAR, integerText);
  register(connection, "csv_decimal", [VARCHAR, INTEGER], VARCHAR, (text, scale) => decimalText(text, Number(scale)));
  register(connection, "csv_floating", [VARCHAR], VARCHAR, floatingText);
  register(connection, "csv_date", [VARCHAR], DATE, (text) => {
    const days = parseDate(text);
    return days === undefined ? undefined : new DuckDBDateValue(days);
  });
  register(connection, "csv_timestamp", [VARCHAR], BIGINT, (text) => parseTimestamp(text, regions));
  register(connection, "csv_timestamp_ntz", [VARCHAR], BIGINT, parseLocalTimestamp);
}

function splitFields(line: string, sep = "", quote = "", escapeText = "", ...trims: string[]): DuckDBValue {
  const [ignoreLeadingWhiteSpace = false, ignoreTrailingWhiteSpace = false] = trims.map((flag) => flag === "true");
  const dialect = { sep, quote, escape: escapeText, ignoreLeadingWhiteSpace, ignoreTrailingWhiteSpace };
  return listValue(quotedList(readRecord(line, 0, dialect), quoteOf(dialect)));
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
 * a text. Of the others the first row stands for all: they are constants of the query.
 */
function register(
  connection: DuckDBConnection,
  name: string,
  parameterTypes: readonly DuckDBType[],
  returnType: DuckDBType,
  convert: (value: string, ...constants: string[]) => DuckDBValue | undefined,
): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes,
      returnType,
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
          info.setError(errorText(error));
        }
      },
    }),
  );
}
