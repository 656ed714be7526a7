import { positionAt } from "../model/position.js";
import type { AsOf, Relation } from "../model/query.js";
import type { FromItem, Join, JoinType } from "./ast.js";
import {
  clauseName,
  columnNames,
  type Foreign,
  firstSpan,
  indexOf,
  list,
  mapExpression,
  nameAt,
  nameOf,
  offsetOf,
  part,
  parts,
  problem,
  queryStart,
  refuse,
  type Source,
  stringAt,
  variant,
} from "./parse-query-foreign.js";
import { type FileOption, readFileRead } from "./read-files.js";

/** One entry of FROM with its joins. */
export function mapFrom(source: Source, node: unknown, first: number): FromItem {
  const entry = parts(source, node, ["relation", "joins"], first);
  let left = mapRelation(source, entry["relation"], first);
  for (const join of list(entry["joins"])) left = mapJoin(source, left, join, first);
  return left;
}

const JOINS: Readonly<Record<string, JoinType>> = {
  Join: "inner",
  Inner: "inner",
  Left: "left",
  LeftOuter: "left",
  Right: "right",
  RightOuter: "right",
  FullOuter: "full",
  CrossJoin: "cross",
  Semi: "semi",
  LeftSemi: "semi",
  Anti: "anti",
  LeftAnti: "anti",
};

function mapJoin(source: Source, left: FromItem, node: unknown, first: number): Join {
  const join = parts(source, node, ["relation", "join_operator"], first);
  const [kind, constraint] = variant(join["join_operator"]);
  const type = JOINS[kind];
  const place = firstSpan(source, join["relation"]) ?? first;
  if (type === undefined) throw refuse(source, place, `${clauseName(kind)} JOIN`);
  const right = mapRelation(source, join["relation"], place);
  const base = { kind: "join", at: right.at, type, left, right } as const;
  const [form, value] = variant(constraint ?? "None");
  if (form === "On") return { ...base, on: mapExpression(source, value) };
  if (form === "Natural") return { ...base, natural: true };
  if (form === "Using") {
    const using = list(value).map((name) => {
      const [ident] = list(name);
      const index = indexOf(source, ident);
      return { at: offsetOf(source, index), name: nameAt(source, index) };
    });
    return { ...base, using };
  }
  if (type === "cross" || type === "inner") return { ...base, type: "cross" };
  throw refuse(source, place, `${type.toUpperCase()} JOIN without a condition`, "Add ON or USING.");
}

function mapRelation(source: Source, node: unknown, first: number): FromItem {
  const [kind, inner] = variant(node);
  const foreign = inner as Foreign;
  const place = firstSpan(source, inner) ?? first;
  if (kind === "Derived") {
    parts(source, inner, ["subquery", "alias"], place);
    const at = offsetOf(source, queryStart(source, foreign["subquery"]));
    const query = source.mapQuery(source, foreign["subquery"]);
    return { kind: "derived", at, query, ...mapAlias(source, foreign) };
  }
  if (kind === "NestedJoin") {
    parts(source, inner, ["table_with_joins"], place);
    return mapFrom(source, foreign["table_with_joins"], place);
  }
  if (kind !== "Table") throw refuse(source, place, clauseName(kind));
  return mapTable(source, foreign);
}

function mapAlias(source: Source, node: Foreign): { alias?: string; columns: readonly string[] } {
  const alias = part(node, "alias");
  if (alias === undefined) return { columns: [] };
  const { name } = parts(source, alias, ["name", "columns"], indexOf(source, alias));
  return { alias: nameOf(source, name), columns: columnNames(source, alias as Foreign) };
}

function mapTable(source: Source, node: Foreign): FromItem {
  const index = indexOf(source, node["name"]);
  if (list(node["with_hints"]).length > 0)
    throw refuse(source, index, "WITH (…) after a table", "Read the table without options.");
  parts(source, node, ["name", "alias", "args", "version"], index);
  const name = list(node["name"]).map((p) => nameOf(source, variant(p)[1]));
  const at = offsetOf(source, index);
  const args = part(node, "args");
  const files = args === undefined ? undefined : mapTableFunction(source, name, args as Foreign, index);
  const asOf = mapAsOf(source, part(node, "version"), index);
  const alias = mapAlias(source, node);
  const stream = source.painted.streams.has(index);
  const cte = name.length === 1 ? source.ctes.get(name.join().toLowerCase()) : undefined;
  if (cte !== undefined && files === undefined) {
    if (stream) throw refuse(source, index, `STREAM of the CTE ${cte.name}`, "Put STREAM on the tables within it.");
    if (asOf.asOf !== undefined) throw refuse(source, index, `AS OF on the CTE ${cte.name}`);
    return { kind: "cte", at, cte, alias: alias.alias ?? cte.name, columns: alias.columns };
  }
  const read = {
    id: `r${source.relations.length}`,
    stream,
    at: positionAt(source.reader.sql, at),
  };
  const path = files === undefined ? folderPath(source, name, index) : undefined;
  const relation: Relation =
    files !== undefined
      ? { ...read, kind: "files", files }
      : path !== undefined
        ? { ...read, kind: "path", path, ...asOf }
        : { ...read, kind: "table", name, ...asOf };
  source.relations.push(relation);
  return { kind: "relation", at, relation, ...alias };
}

/** ``delta.`path` ``. */
function folderPath(source: Source, name: readonly string[], index: number): string | undefined {
  const [format = "", path = ""] = name;
  const quoted = source.reader.tokens[index + 2]?.kind === "quoted";
  if (name.length !== 2 || !quoted) return undefined;
  if (format.toLowerCase() === "delta") return path;
  if (!/^(csv|json|parquet|orc|avro|text|binaryfile|xml)$/i.test(format) || !path.includes("/")) return undefined;
  throw problem(
    source,
    index,
    "NOT_SUPPORTED",
    `Reading ${format}.\`…\` is not supported`,
    "Use read_files('path', format => 'csv', …).",
  );
}

function mapAsOf(source: Source, node: unknown, index: number): { asOf?: AsOf } {
  if (node === undefined) return {};
  const [kind, inner] = variant(node);
  const value = mapExpression(source, inner);
  if (kind === "VersionAsOf" && value.kind === "literal" && /^\d+$/.test(value.value))
    return { asOf: { version: BigInt(value.value) } };
  if (kind === "TimestampAsOf" && value.kind === "literal" && ["string", "timestamp", "date"].includes(value.type))
    return { asOf: { timestamp: value.value } };
  throw refuse(
    source,
    index,
    `This form of ${clauseName(kind)}`,
    "Write VERSION AS OF 3 or TIMESTAMP AS OF '2026-10-01'.",
  );
}

/** `read_files('path', option => value, …)`; other table functions are refused. */
function mapTableFunction(source: Source, name: readonly string[], node: Foreign, index: number) {
  const { args } = parts(source, node, ["args"], index);
  if (name.join(".").toLowerCase() !== "read_files") {
    throw problem(
      source,
      index,
      "UNSUPPORTED_FUNCTION",
      `The table function ${name.join(".")} is not supported yet`,
      "read_files reads files; other rows come from tables.",
    );
  }
  const options = list(args).map((arg): FileOption => {
    const [form, inner] = variant(arg);
    const foreign = inner as Foreign;
    const [what, value] = variant(form === "Named" ? foreign["arg"] : inner);
    const place = firstSpan(source, arg) ?? index;
    if (what !== "Expr" || (form !== "Named" && form !== "Unnamed")) throw refuse(source, place, "This argument");
    const name = form === "Named" ? nameOf(source, foreign["name"]) : undefined;
    const expression = mapExpression(source, value);
    if (expression.kind !== "literal")
      throw problem(
        source,
        place,
        "BAD_OPTION",
        "An option of read_files takes a constant",
        "Write a string, number or boolean.",
      );
    const text = source.reader.sql;
    const valueIndex = firstSpan(source, value) ?? place;
    const literal = expression.type === "string" ? stringAt(source, valueIndex) : expression.value;
    return {
      ...(name === undefined ? {} : { name }),
      value: literal,
      at: positionAt(text, offsetOf(source, place)),
      valueAt: positionAt(text, offsetOf(source, valueIndex)),
    };
  });
  return readFileRead(options, positionAt(source.reader.sql, offsetOf(source, index)));
}
