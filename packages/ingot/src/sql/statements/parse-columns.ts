import type { ColumnDefinition, Expectation, ExpectationAction } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import type { SqlText } from "../../model/position.js";
import { doubledColumn, readType } from "../ddl-types.js";
import type { TokenReader } from "../token-reader.js";
import { readExpression } from "./clauses.js";
import { parseTableRule } from "./table-rule.js";

/** What stands in the brackets after a dataset's name. */
export interface ColumnList {
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly SqlText[];
  readonly expectations: readonly Expectation[];
}

/** `( column …, constraint …, expectation … )`, in any order; at least one. */
export function parseColumnList(reader: TokenReader): ColumnList {
  const columns: ColumnDefinition[] = [];
  const constraints: SqlText[] = [];
  const expectations: Expectation[] = [];
  const names = new Set<string>();
  const rules = new Set<string>();
  reader.expect("(");
  do {
    if (reader.sees("CONSTRAINT")) {
      const expectation = parseExpectation(reader);
      if (expectation === undefined) constraints.push(parseTableConstraint(reader));
      else {
        if (rules.has(expectation.name)) throw doubledExpectation(expectation);
        rules.add(expectation.name);
        expectations.push(expectation);
      }
    } else if (reader.sees("PRIMARY", "KEY") || reader.sees("FOREIGN", "KEY")) {
      constraints.push(parseTableConstraint(reader));
    } else {
      const at = reader.at();
      const column = parseColumn(reader);
      if (names.has(column.name.toLowerCase())) throw doubledColumn(column.name, at);
      names.add(column.name.toLowerCase());
      columns.push(column);
    }
  } while (reader.take(","));
  if (!reader.take(")")) throw reader.failure([",", ")", ...COLUMN_CLAUSES.map((words) => words.join(" "))]);
  return { columns, constraints, expectations };
}

function doubledExpectation({ name, at }: Expectation): IngotError {
  return new IngotError("BAD_OPTION", `Two expectations are called ${name}`, {
    at,
    object: name,
    hint: "Rename one: the counts of a run are reported by name.",
  });
}

const ACTIONS: readonly (readonly [words: readonly string[], action: ExpectationAction])[] = [
  [["DROP", "ROW"], "drop"],
  [["FAIL", "UPDATE"], "fail"],
  [["QUARANTINE", "ROW"], "quarantine"],
];

/** `CONSTRAINT name EXPECT {(condition) | rule} [ON VIOLATION …]`, or undefined for another constraint. */
function parseExpectation(reader: TokenReader): Expectation | undefined {
  const start = reader.index;
  const at = reader.at();
  reader.expect("CONSTRAINT");
  const name = reader.readIdentifier("the constraint's name");
  if (!reader.take("EXPECT")) {
    reader.index = start;
    return undefined;
  }
  const from = reader.index;
  const wholeTable = parseTableRule(reader) !== undefined;
  const condition = wholeTable ? reader.cut(from) : reader.readGroup("a condition");
  const rule = { name, condition, ...(wholeTable ? { wholeTable } : {}), at };
  if (!reader.take("ON", "VIOLATION")) return { ...rule, action: "warn" };
  const found = ACTIONS.find(([words]) => reader.take(...words));
  if (found === undefined) throw reader.failure(ACTIONS.map(([words]) => words.join(" ")));
  return { ...rule, action: found[1] };
}

/** Words that may follow a key: informational, and kept as they stand. */
const KEY_OPTIONS = [
  ["NOT", "ENFORCED"],
  ["ENFORCED"],
  ["NOT", "DEFERRABLE"],
  ["DEFERRABLE"],
  ["INITIALLY", "DEFERRED"],
  ["INITIALLY", "IMMEDIATE"],
  ["NORELY"],
  ["RELY"],
  ["MATCH", "FULL"],
  ["ON", "UPDATE", "NO", "ACTION"],
  ["ON", "DELETE", "NO", "ACTION"],
];

/** `[CONSTRAINT name] PRIMARY KEY (…) | FOREIGN KEY (…) REFERENCES table [(…)]`. */
function parseTableConstraint(reader: TokenReader): SqlText {
  const from = reader.index;
  if (reader.take("CONSTRAINT")) reader.readIdentifier("the constraint's name");
  if (reader.take("PRIMARY", "KEY")) {
    readKeyColumns(reader);
  } else if (reader.take("FOREIGN", "KEY")) {
    reader.readNames();
    reader.expect("REFERENCES");
    readReference(reader);
  } else if (reader.sees("CHECK")) {
    throw reader.error("NOT_SUPPORTED", "CHECK is not supported", "Write EXPECT (condition) ON VIOLATION FAIL UPDATE.");
  } else throw reader.failure(["EXPECT", "PRIMARY KEY", "FOREIGN KEY"]);
  skipKeyOptions(reader);
  return reader.cut(from);
}

function readKeyColumns(reader: TokenReader): void {
  reader.expect("(");
  do {
    reader.readIdentifier("a column");
    reader.take("TIMESERIES");
  } while (reader.take(","));
  if (!reader.take(")")) throw reader.failure([",", ")"]);
}

function readReference(reader: TokenReader): void {
  reader.readParts("a table");
  if (reader.sees("(")) reader.readNames();
}

function skipKeyOptions(reader: TokenReader): void {
  while (KEY_OPTIONS.some((words) => reader.take(...words)));
}

/** What may follow a column's name and type. */
const COLUMN_CLAUSES = [
  ["NOT", "NULL"],
  ["COMMENT"],
  ["MASK"],
  ["DEFAULT"],
  ["GENERATED"],
  ["PRIMARY", "KEY"],
  ["FOREIGN", "KEY"],
  ["REFERENCES"],
  ["CONSTRAINT"],
];

/** `name [type] [NOT NULL] [COMMENT 'text'] …`. */
function parseColumn(reader: TokenReader): ColumnDefinition {
  const name = reader.readIdentifier("a column");
  const typeFrom = reader.index;
  const bare = reader.sees(",") || reader.sees(")") || COLUMN_CLAUSES.some((words) => reader.sees(...words));
  if (!bare) readType(reader);
  const type = bare ? undefined : reader.cut(typeFrom);
  let notNull = false;
  let comment: string | undefined;
  const extra: SqlText[] = [];
  for (;;) {
    const from = reader.index;
    if (!notNull && reader.take("NOT", "NULL")) notNull = true;
    else if (comment === undefined && reader.take("COMMENT")) comment = reader.readString();
    else if (skipColumnExtra(reader)) extra.push(reader.cut(from));
    else break;
  }
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(notNull ? { notNull } : {}),
    ...(comment === undefined ? {} : { comment }),
    ...(extra.length === 0 ? {} : { extra }),
  };
}

/** Steps over a clause of a column that the model keeps as text. */
function skipColumnExtra(reader: TokenReader): boolean {
  if (reader.take("MASK")) {
    reader.readParts("a function");
    if (reader.take("USING", "COLUMNS")) reader.readGroup("a column");
    return true;
  }
  if (reader.take("DEFAULT")) {
    readExpression(reader, COLUMN_CLAUSES);
    return true;
  }
  if (reader.take("GENERATED")) {
    skipGenerated(reader);
    return true;
  }
  const named = reader.take("CONSTRAINT");
  if (named) reader.readIdentifier("the constraint's name");
  if (!reader.take("PRIMARY", "KEY")) {
    const foreign = reader.take("FOREIGN", "KEY");
    if (!reader.take("REFERENCES")) {
      if (named || foreign) throw reader.failure(foreign ? ["REFERENCES"] : ["PRIMARY KEY", "REFERENCES"]);
      return false;
    }
    readReference(reader);
  }
  skipKeyOptions(reader);
  return true;
}

/** `ALWAYS AS (expression)`, or `ALWAYS | BY DEFAULT AS IDENTITY [(…)]`. */
function skipGenerated(reader: TokenReader): void {
  const always = reader.take("ALWAYS");
  if (!always && !reader.take("BY", "DEFAULT")) throw reader.failure(["ALWAYS", "BY DEFAULT"]);
  reader.expect("AS");
  if (reader.take("IDENTITY")) {
    if (reader.sees("(")) reader.readGroup("START WITH or INCREMENT BY");
  } else if (always) reader.readGroup("an expression");
  else throw reader.failure(["IDENTITY"]);
}
