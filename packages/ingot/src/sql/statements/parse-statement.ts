import type { DatasetKind } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import type { NameDefaults } from "../../model/name.js";
import type { TokenReader } from "../token-reader.js";
import { parseDataset } from "./parse-dataset.js";
import { parseApplyChanges, parseFlow } from "./parse-flow.js";
import { refuseCreate, refuseStatement } from "./refuse.js";
import { parseSet, parseUse } from "./settings.js";
import type { Statement } from "./statement.js";

/**
 * Parses one statement, without its `;`.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR with the token found and what was expected;
 *   PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR for a statement of Spark that a pipeline cannot hold
 */
export function parseStatement(reader: TokenReader, defaults: NameDefaults): Statement {
  if (reader.sees("CREATE")) return parseCreate(reader, defaults);
  if (reader.sees("APPLY", "CHANGES")) {
    return { kind: "declare", datasets: [], flows: [parseApplyChanges(reader, reader.at(), defaults)] };
  }
  if (reader.sees("USE")) return { kind: "use", defaults: parseUse(reader, defaults) };
  if (reader.sees("SET")) return parseSet(reader);
  throw refuseStatement(reader);
}

/** What can be created, each after `OR REPLACE`, `PRIVATE` and the like. */
const OBJECTS: readonly (readonly [words: readonly string[], kind: DatasetKind | "flow"])[] = [
  [["STREAMING", "TABLE"], "streaming-table"],
  [["MATERIALIZED", "VIEW"], "materialized-view"],
  [["VIEW"], "view"],
  [["FLOW"], "flow"],
  // The older words.
  [["STREAMING", "LIVE", "TABLE"], "streaming-table"],
  [["LIVE", "TABLE"], "materialized-view"],
  [["STREAMING", "LIVE", "VIEW"], "temporary-view"],
  [["LIVE", "VIEW"], "temporary-view"],
];

function parseCreate(reader: TokenReader, defaults: NameDefaults): Statement {
  const at = reader.at();
  reader.expect("CREATE");
  const replace = reader.take("OR", "REPLACE");
  const refresh = !replace && reader.take("OR", "REFRESH");
  const isPrivate = reader.take("PRIVATE");
  const temporary = !isPrivate && (reader.take("TEMPORARY") || reader.take("TEMP"));
  const from = reader.index;
  const object = OBJECTS.find(([words]) => reader.take(...words));
  if (object === undefined) throw refuseCreate(reader);
  const [words, declared] = object;
  const isView = words.at(-1) === "VIEW" && declared !== "materialized-view";
  const kind = temporary && declared === "view" ? "temporary-view" : declared;

  if (kind === "flow") {
    if (replace || refresh || isPrivate || temporary) throw misplaced(reader, from, "CREATE FLOW");
    return { kind: "declare", datasets: [], flows: [parseFlow(reader, at, defaults)] };
  }
  if (isView && (isPrivate || (refresh && !words.includes("LIVE")))) throw misplaced(reader, from, "CREATE VIEW");
  // A temporary table is what Lakeflow called a private one before.
  const head = { kind, at, private: isPrivate || (temporary && !isView) };
  const { dataset, flow } = parseDataset(reader, head, defaults);
  return { kind: "declare", datasets: [dataset], flows: flow === undefined ? [] : [flow] };
}

function misplaced(reader: TokenReader, to: number, statement: string): IngotError {
  const words = reader.cut(1, to).text;
  return new IngotError("PARSE_SYNTAX_ERROR", `${words} cannot stand in ${statement}`, {
    at: reader.at(1),
    hint: `Leave ${words} out.`,
  });
}
