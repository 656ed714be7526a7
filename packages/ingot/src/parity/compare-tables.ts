import type { ResultSet, Value } from "../engine/engine.js";
import { type Field, fieldNamed, formatType } from "../model/data-type.js";
import type { TableState } from "../model/table.js";
import { columnHashes, surplusRows, tableHash } from "./digest-text.js";

/** The same table as two engines made it. */
export interface TablePair {
  readonly name: string;
  readonly left: TableState | undefined;
  readonly right: TableState | undefined;
  /** Columns that are not compared, in lower case: what they hold depends on the run. */
  readonly ignored: ReadonlySet<string>;
}

export interface TableComparison {
  readonly name: string;
  readonly equal: boolean;
  /** One sentence each: columns, their types, the layout. */
  readonly schema: readonly string[];
  readonly left?: TableSum;
  readonly right?: TableSum;
  /** Columns whose values differ. */
  readonly columns: readonly string[];
  /** Rows that one side has more often, by column; some of them. */
  readonly onlyLeft: readonly ExampleRow[];
  readonly onlyRight: readonly ExampleRow[];
}

export interface TableSum {
  readonly rows: number;
  /** Of all rows, in whatever order. */
  readonly hash: string;
}

export type ExampleRow = Readonly<Record<string, Value>>;

/** Runs a query of Spark SQL. */
export type Ask = (sql: string) => Promise<ResultSet>;

/** Compares a table column by column and row by row. @param examples how many rows are shown of each side */
export async function compareTables(pair: TablePair, ask: Ask, examples: number): Promise<TableComparison> {
  const { name, left, right, ignored } = pair;
  const none = { name, columns: [], onlyLeft: [], onlyRight: [] };
  if (left === undefined || right === undefined) {
    const schema =
      left === right ? [] : [`only ${left === undefined ? "the second" : "the first"} engine made the table`];
    return { ...none, equal: schema.length === 0, schema };
  }
  const schema = [...compareSchemas(left.schema, right.schema), ...compareLayouts(left, right)];
  const columns = left.schema.filter(
    (field) => !ignored.has(field.name.toLowerCase()) && sameKind(field, fieldNamed(right.schema, field.name)),
  );
  const sums = await Promise.all([left, right].map((state) => sumTable(state.location, columns, ask)));
  const [of, against] = sums as [TableSum, TableSum];
  const counted = { left: of, right: against };
  if (of.rows === against.rows && of.hash === against.hash) {
    return { ...none, ...counted, equal: schema.length === 0, schema };
  }
  const differing = await differingColumns(left.location, right.location, columns, ask);
  const same = columns.filter(({ name: column }) => !differing.includes(column));
  const surplus = async (path: string, other: string): Promise<ExampleRow[]> => {
    const { rows } = await ask(surplusRows(path, other, columns, same, examples));
    return rows.map((values) => Object.fromEntries(columns.map((field, i) => [field.name, values[i] ?? null])));
  };
  return {
    ...none,
    ...counted,
    equal: false,
    schema,
    columns: differing,
    onlyLeft: await surplus(left.location, right.location),
    onlyRight: await surplus(right.location, left.location),
  };
}

async function sumTable(location: string, columns: readonly Field[], ask: Ask): Promise<TableSum> {
  const { rows } = await ask(tableHash(location, columns));
  return { rows: Number(rows[0]?.[0] ?? 0), hash: BigInt(String(rows[0]?.[1] ?? 0)).toString(16) };
}

async function differingColumns(
  left: string,
  right: string,
  columns: readonly Field[],
  ask: Ask,
): Promise<readonly string[]> {
  const [of, against] = [await ask(columnHashes(left, columns)), await ask(columnHashes(right, columns))];
  return columns.filter((_, i) => of.rows[0]?.[i] !== against.rows[0]?.[i]).map(({ name }) => name);
}

function compareSchemas(left: readonly Field[], right: readonly Field[]): string[] {
  const names = new Set([...left, ...right].map(({ name }) => name));
  const differences = [...names].flatMap((name) => {
    const [of, against] = [left, right].map((fields) => describe(fields.find((field) => field.name === name)));
    return of === against ? [] : [`column ${name}: ${of} / ${against}`];
  });
  if (differences.length > 0) return differences;
  const order = (fields: readonly Field[]) => fields.map(({ name }) => name).join(", ");
  return order(left) === order(right) ? [] : [`order of columns: ${order(left)} / ${order(right)}`];
}

function compareLayouts(left: TableState, right: TableState): string[] {
  const layouts: readonly [string, readonly string[], readonly string[]][] = [
    ["PARTITIONED BY", left.partitionBy, right.partitionBy],
    ["CLUSTER BY", left.clusterBy, right.clusterBy],
  ];
  return layouts.flatMap(([clause, of, against]) =>
    of.join(", ") === against.join(", ") ? [] : [`${clause} (${of.join(", ")}) / (${against.join(", ")})`],
  );
}

function describe(field: Field | undefined): string {
  if (field === undefined) return "missing";
  const comment = field.comment === undefined ? "" : ` COMMENT ${JSON.stringify(field.comment)}`;
  return `${formatType(field.type)}${field.nullable ? "" : " NOT NULL"}${comment}`;
}

function sameKind(field: Field, other: Field | undefined): boolean {
  return other !== undefined && formatType(field.type) === formatType(other.type);
}
