import type { Dataset, DatasetKind, Flow } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import type { NameDefaults } from "../../model/name.js";
import type { Position } from "../../model/position.js";
import { quoteName } from "../quote.js";
import type { TokenReader } from "../token-reader.js";
import { type Clause, clauseNames, readClauses, refusedClause } from "./clauses.js";
import { applyIngotProperties } from "./ingot-properties.js";
import { readSimpleName, readTableName } from "./names.js";
import { parseColumnList } from "./parse-columns.js";
import { parseFlowClause } from "./parse-flow.js";
import { type Property, readProperties } from "./properties.js";
import { readQuery } from "./relation.js";

/** What a dataset's statement has said before its name. */
export interface DatasetHead {
  readonly kind: DatasetKind;
  readonly private: boolean;
  readonly at: Position;
}

/** `[IF NOT EXISTS] name [(…)] clauses [AS query | FLOW …]`: a dataset and the flow that fills it. */
export function parseDataset(
  reader: TokenReader,
  head: DatasetHead,
  defaults: NameDefaults,
): { readonly dataset: Dataset; readonly flow?: Flow } {
  const { kind, at } = head;
  const ifNotExists = kind !== "temporary-view" && reader.take("IF", "NOT", "EXISTS");
  const name =
    kind === "temporary-view"
      ? { ...defaults, table: readSimpleName(reader, "temporary view", "MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED") }
      : readTableName(reader, defaults);
  const list = reader.sees("(") ? parseColumnList(reader) : undefined;
  const { properties = [], ...clauses } = readClauses(reader, CLAUSES[kind]);
  if (clauses.partitionBy !== undefined && clauses.clusterBy !== undefined) throw partitionedAndClustered(at);
  const own = properties.filter((p) => !p.key.startsWith("ingot."));
  const dataset = applyIngotProperties(
    {
      kind,
      name,
      at,
      expectations: list?.expectations ?? [],
      properties: Object.fromEntries(own.map((p) => [p.key, p.value])),
      ...(list !== undefined && list.columns.length > 0 ? { columns: list.columns } : {}),
      ...(list !== undefined && list.constraints.length > 0 ? { constraints: list.constraints } : {}),
      ...clauses,
      ...(head.private ? { private: true } : {}),
      ...(ifNotExists ? { ifNotExists } : {}),
    },
    properties.filter((p) => p.key.startsWith("ingot.")),
  );
  const flow = parseOwnFlow(reader, dataset, defaults);
  return flow === undefined ? { dataset } : { dataset, flow };
}

function parseOwnFlow(reader: TokenReader, dataset: Dataset, defaults: NameDefaults): Flow | undefined {
  const head = { name: dataset.name.table, target: dataset.name, at: dataset.at, defaults };
  if (reader.take("AS")) return { kind: "query", ...head, query: readQuery(reader) };
  const clauses = clauseNames(CLAUSES[dataset.kind]);
  if (dataset.kind !== "streaming-table") throw reader.failure(["AS", ...clauses]);
  if (reader.take("FLOW")) return parseFlowClause(reader, head);
  reader.expectEnd("AS", "FLOW", ...clauses);
  return undefined;
}

type Clauses = Pick<Dataset, "comment" | "partitionBy" | "clusterBy" | "location" | "rowFilter" | "refreshPolicy"> & {
  readonly properties: readonly Property[];
};

const COMMENT: Clause<Clauses> = { words: ["COMMENT"], read: (reader) => ({ comment: reader.readString() }) };
const PROPERTIES: Clause<Clauses> = {
  words: ["TBLPROPERTIES"],
  read: (reader) => ({ properties: readProperties(reader) }),
};

const TABLE_CLAUSES: readonly Clause<Clauses>[] = [
  {
    words: ["USING"],
    read: (reader) => {
      if (reader.take("DELTA")) return {};
      const format = reader.peek()?.text;
      if (format === undefined) throw reader.failure(["DELTA"]);
      throw reader.error("NOT_SUPPORTED", `USING ${format}: tables are Delta tables`, "Write USING DELTA, or nothing.");
    },
  },
  { words: ["PARTITIONED", "BY"], read: (reader) => ({ partitionBy: readPlainColumns(reader) }) },
  {
    words: ["CLUSTER", "BY"],
    read: (reader) => {
      if (reader.take("AUTO")) return { clusterBy: "auto" };
      if (!reader.sees("(")) throw reader.failure(["(", "AUTO"]);
      return { clusterBy: readPlainColumns(reader) };
    },
  },
  { words: ["LOCATION"], read: (reader) => ({ location: reader.readString() }) },
  COMMENT,
  PROPERTIES,
  {
    words: ["WITH", "ROW", "FILTER"],
    read: (reader) => {
      const name = reader.readParts("a function").map(quoteName).join(".");
      reader.expect("ON");
      if (reader.take("(", ")")) return { rowFilter: { function: name, columns: [] } };
      return { rowFilter: { function: name, columns: reader.readNames() } };
    },
  },
  refusedClause(["OPTIONS"], "Delta tables take TBLPROPERTIES."),
  refusedClause(["SCHEDULE"], "Run the pipeline on a schedule instead."),
  refusedClause(["TRIGGER"], "Run the pipeline on a schedule instead."),
  refusedClause(["DEFAULT", "COLLATION"], "Leave it out: strings compare by their bytes."),
];

const REFRESH_POLICY: Clause<Clauses> = {
  words: ["REFRESH", "POLICY"],
  read: (reader) => {
    if (reader.take("AUTO")) return { refreshPolicy: "auto" };
    if (reader.take("FULL")) return { refreshPolicy: "full" };
    if (!reader.take("INCREMENTAL")) throw reader.failure(["AUTO", "INCREMENTAL", "INCREMENTAL STRICT", "FULL"]);
    return { refreshPolicy: reader.take("STRICT") ? "incremental strict" : "incremental" };
  },
};

const VIEW_CLAUSES = [
  COMMENT,
  PROPERTIES,
  refusedClause<Clauses>(["WITH", "SCHEMA"], "Leave it out: a view follows its query."),
  refusedClause<Clauses>(["DEFAULT", "COLLATION"], "Leave it out: strings compare by their bytes."),
];

const CLAUSES: Readonly<Record<DatasetKind, readonly Clause<Clauses>[]>> = {
  "streaming-table": TABLE_CLAUSES,
  "materialized-view": [...TABLE_CLAUSES, REFRESH_POLICY],
  "temporary-view": VIEW_CLAUSES,
  view: VIEW_CLAUSES,
};

/** `(a, b)`: columns themselves. A function of a column and a field of a struct are refused by name. */
function readPlainColumns(reader: TokenReader): string[] {
  const columns: string[] = [];
  reader.expect("(");
  do {
    const from = reader.index;
    columns.push(reader.readIdentifier("a column"));
    if (!reader.sees("(") && !reader.sees(".")) continue;
    const what = reader.sees("(") ? `the transform ${columns.at(-1)}(…)` : `the field of ${columns.at(-1)}`;
    reader.index = from;
    throw reader.error("NOT_SUPPORTED", `Not supported here: ${what}`, "Name a column of the table itself.");
  } while (reader.take(","));
  if (!reader.take(")")) throw reader.failure([",", ")"]);
  return columns;
}

function partitionedAndClustered(at: Position): IngotError {
  return new IngotError(
    "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED",
    "PARTITIONED BY and CLUSTER BY stand together",
    { at, hint: "Keep one of the two." },
  );
}
