import type { Engine, Value } from "../engine/engine.js";
import type { BatchFile } from "../model/batch.js";
import { type DataType, type Field, fieldNamed } from "../model/data-type.js";
import type { FileRead } from "../model/file-read.js";
import { sqlText } from "../model/position.js";
import type { Compiler } from "../sql/compiler.js";
import { quoteName } from "../sql/quote.js";

const WHOLE = "-?[1-9][0-9]*|0";
const DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const TIME = "[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?";

/** What is asked of all values of a column that are not NULL, in Spark SQL. */
const QUESTIONS = {
  values: (c: string) => `count(${c})`,
  isInt: (c: string) => `bool_and(${c} RLIKE '^(${WHOLE})$' AND try_cast(${c} AS INT) IS NOT NULL)`,
  isBigint: (c: string) => `bool_and(${c} RLIKE '^(${WHOLE})$' AND try_cast(${c} AS BIGINT) IS NOT NULL)`,
  isDecimal: (c: string) => `bool_and(${c} RLIKE '^-?(0|[1-9][0-9]*)([.][0-9]+)?$')`,
  digits: (c: string) => `max(length(regexp_extract(${c}, '^-?([0-9]+)', 1)))`,
  scale: (c: string) => `max(length(regexp_extract(${c}, '[.]([0-9]+)$', 1)))`,
  isDate: (c: string) => `bool_and(${c} RLIKE '^${DAY}$' AND try_cast(${c} AS DATE) IS NOT NULL)`,
  isTimestamp: (c: string) => `bool_and(${c} RLIKE '^${DAY}[ T]${TIME}$' AND try_cast(${c} AS TIMESTAMP) IS NOT NULL)`,
  isBoolean: (c: string) => `bool_and(lower(${c}) IN ('true', 'false'))`,
};
type Answers = Readonly<Record<keyof typeof QUESTIONS, Value>>;

export interface InferContext {
  readonly engine: Pick<Engine, "query">;
  /** Of Spark SQL. */
  readonly compiler: Compiler;
}

/**
 * Types that hold every value of text columns exactly, by a look at the whole of the files. A number with a leading zero,
 * a plus or an exponent is text, since a number would not give it back; a fraction makes a decimal, never a double.
 *
 * @param columns of the read, all that a query sees
 * @param names those whose types are asked for
 * @returns `columns` with the types found
 */
export async function inferTypes(
  read: FileRead,
  columns: readonly Field[],
  names: readonly string[],
  files: readonly BatchFile[],
  { engine, compiler }: InferContext,
): Promise<readonly Field[]> {
  if (names.length === 0 || files.length === 0) return columns;
  const questions = Object.entries(QUESTIONS);
  const select = names.flatMap((name, i) => questions.map(([key, ask]) => `${ask(quoteName(name))} AS ${key}${i}`));
  // Records that do not fit are told when the batch is read.
  const rescued = read.rescuedDataColumn ?? "_rescued_data";
  const isIn = fieldNamed(columns, rescued) !== undefined;
  const all = isIn ? columns : [...columns, { name: rescued, type: { kind: "string" }, nullable: true } as const];
  const query = await compiler.compile(sqlText(`SELECT ${select.join(", ")} FROM files`), new Map([["r0", all]]));
  const input = { kind: "files", read: { ...read, rescuedDataColumn: rescued }, columns: all, files } as const;
  const bound = { query, inputs: new Map([["r0", input]]) };
  const { rows } = await engine.query(bound, { signal: new AbortController().signal });
  const values = rows[0] ?? [];
  const types = new Map(
    names.map((name, i) => {
      const answers = questions.map(([key], q) => [key, values[i * questions.length + q] ?? null]);
      return [name, typeOf(Object.fromEntries(answers) as Answers)] as const;
    }),
  );
  return columns.map((field) => ({ ...field, type: types.get(field.name) ?? field.type }));
}

function typeOf(answers: Answers): DataType {
  const [values, digits, scale] = [answers.values, answers.digits, answers.scale].map(Number) as [
    number,
    number,
    number,
  ];
  if (values === 0) return { kind: "string" };
  if (answers.isInt === true) return { kind: "int" };
  if (answers.isBigint === true) return { kind: "bigint" };
  if (answers.isDecimal === true && digits + scale <= 38) return { kind: "decimal", precision: digits + scale, scale };
  if (answers.isDate === true) return { kind: "date" };
  if (answers.isTimestamp === true) return { kind: "timestamp" };
  if (answers.isBoolean === true) return { kind: "boolean" };
  return { kind: "string" };
}
