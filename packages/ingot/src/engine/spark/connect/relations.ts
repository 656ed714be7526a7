import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RelationSchema } from "./protocol/relations_pb.js";

/** A relation of the protocol, as plain fields: nothing of the protocol is loaded to write one down. */
export type Relation = MessageInitShape<typeof RelationSchema>;

/** A query. Relations that `names` gives stand in it under their names, as common table expressions would. */
export function sqlRelation(query: string, names: Readonly<Record<string, Relation>> = {}): Relation {
  const root: Relation = { relType: { case: "sql", value: { query } } };
  const references = Object.entries(names).map(([alias, input]) => subquery(alias, input));
  return references.length === 0 ? root : { relType: { case: "withRelations", value: { root, references } } };
}

/** Files by their complete list of paths. */
export function filesRelation(read: {
  readonly format: string;
  /** DDL text; absent where the format knows its columns. */
  readonly schema?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly streaming?: boolean;
}): Relation {
  const { format, schema, options = {}, paths, streaming = false } = read;
  const source = { format, options, paths: [...paths], ...(schema === undefined ? {} : { schema }) };
  return {
    relType: { case: "read", value: { isStreaming: streaming, readType: { case: "dataSource", value: source } } },
  };
}

/** Some columns of a relation, each a Spark SQL expression: `upper(name) AS name`. */
export function project(input: Relation, expressions: readonly string[]): Relation {
  return { relType: { case: "project", value: { input, expressions: expressions.map(sqlExpression) } } };
}

/**
 * The same rows; while they pass, aggregates are computed over them and told with the answer as `observed[name]`. Spark
 * tells nothing where the write has to make the table first.
 *
 * @param metrics each with a name: `count(*) AS rows`
 */
export function observe(input: Relation, name: string, metrics: readonly string[]): Relation {
  return { relType: { case: "collectMetrics", value: { input, name, metrics: metrics.map(sqlExpression) } } };
}

function subquery(alias: string, input: Relation): Relation {
  return { relType: { case: "subqueryAlias", value: { input, alias } } };
}

function sqlExpression(expression: string) {
  return { exprType: { case: "expressionString" as const, value: { expression } } };
}
