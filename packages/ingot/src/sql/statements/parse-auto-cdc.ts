import type { AutoCdcFlow, Flow, QueryFlow, SnapshotCdcFlow } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import type { TokenReader } from "../token-reader.js";
import { type Clause, clauseNames, readClauses, readExpression } from "./clauses.js";
import { CDC_OPTIONS, readFlowOptions, SNAPSHOT_OPTIONS } from "./flow-options.js";
import { readRelation } from "./relation.js";

/** What a flow says before the part that tells its kind. */
export type FlowHead = Pick<QueryFlow, "name" | "target" | "at" | "comment" | "defaults" | "once">;

type CdcClauses = Omit<AutoCdcFlow, "kind" | "source" | keyof FlowHead>;
type SnapshotClauses = Omit<SnapshotCdcFlow, "kind" | "source" | keyof FlowHead>;

/**
 * `FROM source KEYS (…) …` or `FROM SNAPSHOT source KEYS (…) …`, after `AUTO CDC [ONCE] INTO target`. The clauses after
 * the source come in any order, as in Spark.
 *
 * @throws IngotError AUTOCDC_EMPTY_KEYS, AUTOCDC_MISSING_SEQUENCE_BY, AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST
 */
export function parseAutoCdc(reader: TokenReader, head: FlowHead): Flow {
  reader.expect("FROM");
  return reader.take("SNAPSHOT") ? parseSnapshot(reader, head) : parseChanges(reader, head);
}

function parseChanges(reader: TokenReader, head: FlowHead): AutoCdcFlow {
  const source = readRelation(reader);
  const { keys, sequenceBy, ...rest } = readClauses(reader, CDC_CLAUSES);
  reader.expectEnd(...clauseNames(CDC_CLAUSES));
  if (keys === undefined) throw noKeys(reader);
  if (sequenceBy === undefined) {
    throw reader.error(
      "AUTOCDC_MISSING_SEQUENCE_BY",
      "AUTO CDC without SEQUENCE BY",
      "Name the column that orders the changes of a key: SEQUENCE BY updated_at.",
    );
  }
  const flow: AutoCdcFlow = { kind: "auto-cdc", ...head, source, keys, sequenceBy, storedAs: "scd1", ...rest };
  checkHistory(flow);
  if (flow.applyAsTruncates !== undefined && flow.storedAs !== "scd1") {
    throw badOption(flow, "APPLY AS TRUNCATE WHEN", "SCD TYPE 1");
  }
  if (flow.systemSequenceBy !== undefined && flow.storedAs !== "bitemporal") {
    throw badOption(flow, "SYSTEM SEQUENCE BY", "BITEMPORAL");
  }
  return flow;
}

function parseSnapshot(reader: TokenReader, head: FlowHead): SnapshotCdcFlow {
  const source = readRelation(reader);
  const { keys, ...rest } = readClauses(reader, SNAPSHOT_CLAUSES);
  reader.expectEnd(...clauseNames(SNAPSHOT_CLAUSES));
  if (keys === undefined) throw noKeys(reader);
  const flow: SnapshotCdcFlow = { kind: "auto-cdc-from-snapshot", ...head, source, keys, storedAs: "scd1", ...rest };
  checkHistory(flow);
  return flow;
}

const KEYS: Clause<{ keys: readonly string[] }> = {
  words: ["KEYS"],
  read: (reader) => {
    if (reader.sees("(", ")")) throw noKeys(reader);
    return { keys: reader.readNames() };
  },
};

const TRACK_HISTORY: Clause<Pick<SnapshotClauses, "trackHistoryColumnList" | "trackHistoryExceptColumnList">> = {
  words: ["TRACK", "HISTORY", "ON"],
  read: (reader) => {
    const { list, except } = readColumnChoice(reader);
    if (except !== undefined) return { trackHistoryExceptColumnList: except };
    return list === undefined ? {} : { trackHistoryColumnList: list };
  },
};

const CDC_CLAUSES: readonly Clause<CdcClauses>[] = [
  KEYS,
  {
    words: ["IGNORE", "NULL", "UPDATES"],
    read: (reader) => {
      if (!reader.take("ON")) return { ignoreNullUpdates: true };
      const { list, except } = readColumnChoice(reader);
      if (except !== undefined) return { ignoreNullUpdates: { except } };
      return { ignoreNullUpdates: list === undefined ? true : { on: list } };
    },
  },
  { words: ["APPLY", "AS", "DELETE", "WHEN"], read: (r) => ({ applyAsDeletes: readExpression(r, CDC_ENDS) }) },
  { words: ["APPLY", "AS", "TRUNCATE", "WHEN"], read: (r) => ({ applyAsTruncates: readExpression(r, CDC_ENDS) }) },
  { words: ["SEQUENCE", "BY"], read: (r) => ({ sequenceBy: readExpression(r, CDC_ENDS) }) },
  { words: ["SYSTEM", "SEQUENCE", "BY"], read: (r) => ({ systemSequenceBy: readExpression(r, CDC_ENDS) }) },
  { words: ["COLUMNS", "TO", "UPDATE"], read: (r) => ({ columnsToUpdate: r.readIdentifier("a column") }) },
  {
    words: ["COLUMNS"],
    twice: "AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
    read: (reader) => {
      const { list, except } = readColumnChoice(reader);
      if (except !== undefined) return { exceptColumnList: except };
      return list === undefined ? {} : { columnList: list };
    },
  },
  {
    words: ["STORED", "AS"],
    read: (reader) => ({ storedAs: reader.take("BITEMPORAL") ? "bitemporal" : readScdType(reader, ["BITEMPORAL"]) }),
  },
  TRACK_HISTORY,
  { words: ["WITH"], read: (reader) => readFlowOptions(reader, CDC_OPTIONS) },
];
const CDC_ENDS = CDC_CLAUSES.map((clause) => clause.words);

const SNAPSHOT_CLAUSES: readonly Clause<SnapshotClauses>[] = [
  KEYS,
  { words: ["WITH", "VERSION"], read: (reader) => ({ version: reader.readGroup("a query") }) },
  { words: ["STORED", "AS"], read: (reader) => ({ storedAs: readScdType(reader) }) },
  TRACK_HISTORY,
  { words: ["WITH"], read: (reader) => readFlowOptions(reader, SNAPSHOT_OPTIONS) },
];

function readScdType(reader: TokenReader, others: readonly string[] = []): "scd1" | "scd2" {
  if (reader.take("SCD", "TYPE")) {
    const type = reader.peek()?.text;
    if (type !== "1" && type !== "2") throw reader.failure(["1", "2"]);
    reader.index += 1;
    return `scd${type}`;
  }
  throw reader.failure(["SCD TYPE", ...others]);
}

/** `(a, b)`, `a, b`, `*` or `* EXCEPT (a, b)`; nothing for all columns. */
function readColumnChoice(reader: TokenReader): { list?: readonly string[]; except?: readonly string[] } {
  if (reader.take("*")) return reader.take("EXCEPT") ? { except: reader.readNames() } : {};
  return { list: reader.sees("(") ? reader.readNames() : reader.readBareNames("*, a column or ( columns )") };
}

function checkHistory(flow: AutoCdcFlow | SnapshotCdcFlow): void {
  const tracked = flow.trackHistoryColumnList ?? flow.trackHistoryExceptColumnList;
  if (tracked !== undefined && flow.storedAs === "scd1") throw badOption(flow, "TRACK HISTORY ON", "SCD TYPE 2");
}

function badOption(flow: Flow, clause: string, type: string): IngotError {
  return new IngotError("BAD_OPTION", `The flow ${flow.name}: ${clause} needs STORED AS ${type}`, {
    at: flow.at,
    object: flow.name,
    hint: `Add STORED AS ${type}, or leave ${clause} out.`,
  });
}

function noKeys(reader: TokenReader): IngotError {
  return reader.error(
    "AUTOCDC_EMPTY_KEYS",
    "AUTO CDC without a key",
    "Name the columns that identify a row: KEYS (id).",
  );
}
