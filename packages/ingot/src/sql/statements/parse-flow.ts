import type { Flow, ReplaceFlow } from "../../model/definition.js";
import { formatName, type NameDefaults, nameKey } from "../../model/name.js";
import type { Position } from "../../model/position.js";
import type { TokenReader } from "../token-reader.js";
import { readExpression } from "./clauses.js";
import { readSimpleName, readTableName } from "./names.js";
import { type FlowHead, parseAutoCdc } from "./parse-auto-cdc.js";
import { readQuery } from "./relation.js";

/** `name [COMMENT text] AS INSERT … | AUTO CDC …`, after CREATE FLOW. */
export function parseFlow(reader: TokenReader, at: Position, defaults: NameDefaults): Flow {
  const name = readSimpleName(reader, "flow", "MULTIPART_FLOW_NAME_NOT_SUPPORTED");
  const comment = reader.take("COMMENT") ? { comment: reader.readString() } : undefined;
  if (!reader.take("AS")) throw reader.failure(comment === undefined ? ["COMMENT", "AS"] : ["AS"]);
  const head = { name, at, defaults, ...comment };
  if (reader.take("INSERT")) {
    const once = takeOnce(reader);
    reader.expect("INTO");
    // The older order of the keywords, unless a table is called so.
    const onceAfter = reader.sees("ONCE", "BY", "NAME") ? undefined : takeOnce(reader);
    const target = readTableName(reader, defaults);
    expectByName(reader);
    return parseInsert(reader, { ...head, target, ...once, ...onceAfter });
  }
  if (!takeAutoCdc(reader)) throw reader.failure(["INSERT INTO", "AUTO CDC INTO"]);
  const once = takeOnce(reader);
  reader.expect("INTO");
  return parseAutoCdc(reader, { ...head, ...once, target: readTableName(reader, defaults) });
}

/** `APPLY CHANGES INTO target …`, the older way to write an AUTO CDC flow that is called like its target. */
export function parseApplyChanges(reader: TokenReader, at: Position, defaults: NameDefaults): Flow {
  reader.expect("APPLY", "CHANGES");
  const once = takeOnce(reader);
  reader.expect("INTO");
  const target = readTableName(reader, defaults);
  return parseAutoCdc(reader, { name: target.table, target, at, defaults, ...once });
}

/** The flow within CREATE STREAMING TABLE, after FLOW; it is called like its table. */
export function parseFlowClause(reader: TokenReader, head: FlowHead): Flow {
  if (reader.take("INSERT")) {
    const once = takeOnce(reader);
    expectByName(reader);
    return parseInsert(reader, { ...head, ...once });
  }
  if (reader.sees("REPLACE")) {
    const replace = readReplace(reader, [["BY", "NAME"]]);
    expectByName(reader);
    return { kind: "replace", ...head, ...replace, query: readQuery(reader) };
  }
  if (!takeAutoCdc(reader)) throw reader.failure(["INSERT BY NAME", "AUTO CDC", "REPLACE WHERE", "REPLACE USING"]);
  const once = takeOnce(reader);
  if (reader.take("INTO")) expectOwnName(reader, head);
  return parseAutoCdc(reader, { ...head, ...once });
}

const QUERY_STARTS = [["SELECT"], ["WITH"], ["FROM"], ["VALUES"], ["TABLE"]];

/** `[REPLACE …] query`, after BY NAME. */
function parseInsert(reader: TokenReader, head: FlowHead): Flow {
  if (!reader.sees("REPLACE", "WHERE") && !reader.sees("REPLACE", "USING")) {
    return { kind: "query", ...head, query: readQuery(reader) };
  }
  if (head.once === true) {
    throw reader.error("NOT_SUPPORTED", "INSERT ONCE with REPLACE is not supported", "Leave out ONCE or REPLACE.");
  }
  const replace = readReplace(reader, QUERY_STARTS);
  return { kind: "replace", ...head, ...replace, query: readQuery(reader) };
}

/** `REPLACE WHERE condition` up to the keywords given, or `REPLACE USING (…) SEQUENCE BY column`. */
function readReplace(
  reader: TokenReader,
  ends: readonly (readonly string[])[],
): Pick<ReplaceFlow, "replaceWhere" | "replaceUsing" | "sequenceBy"> {
  reader.expect("REPLACE");
  if (reader.take("WHERE")) return { replaceWhere: readExpression(reader, ends) };
  if (!reader.take("USING")) throw reader.failure(["WHERE", "USING"]);
  const replaceUsing = reader.readNames();
  reader.expect("SEQUENCE", "BY");
  return { replaceUsing, sequenceBy: reader.readIdentifier("a column") };
}

function takeAutoCdc(reader: TokenReader): boolean {
  return reader.take("AUTO", "CDC") || reader.take("APPLY", "CHANGES");
}

function takeOnce(reader: TokenReader): { once: true } | undefined {
  return reader.take("ONCE") ? { once: true } : undefined;
}

/** As Spark: rows go into a table by the names of their columns only. */
function expectByName(reader: TokenReader): void {
  if (reader.take("BY", "NAME")) return;
  throw reader.failure(
    ["BY NAME"],
    "PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR",
    "A flow matches columns by name: INSERT INTO table BY NAME SELECT ….",
  );
}

function expectOwnName(reader: TokenReader, head: FlowHead): void {
  const from = reader.index;
  const name = readTableName(reader, head.defaults);
  if (nameKey(name) === nameKey(head.target)) return;
  reader.index = from;
  throw reader.error(
    "PARSE_SYNTAX_ERROR",
    `The flow within ${formatName(head.target)} writes into ${formatName(name)}`,
    "Leave INTO out, or write CREATE FLOW … AS AUTO CDC INTO … as a statement of its own.",
  );
}
