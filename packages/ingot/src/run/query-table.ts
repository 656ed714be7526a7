import type { Engine } from "../engine/engine.js";
import { sqlText } from "../model/position.js";
import type { Compiler } from "../sql/compiler.js";

export interface QueryContext {
  readonly engine: Engine;
  /** Of Spark SQL. */
  readonly compiler: Compiler;
  readonly abort: AbortSignal;
}

/**
 * The first rows of a query over a table as it is now; undefined where it is not there.
 *
 * @param text Spark SQL that reads the table under the name `kept`
 */
export async function queryTable(
  location: string,
  text: string,
  limit: number,
  { engine, compiler, abort }: QueryContext,
): Promise<readonly (readonly unknown[])[] | undefined> {
  const state = await engine.describe(location);
  if (state === undefined) return undefined;
  const query = sqlText(text);
  const [relation] = await compiler.relations(query);
  if (relation === undefined) throw new Error("unreachable: the query reads a table");
  const compiled = await compiler.compile(query, new Map([[relation.id, state.schema]]));
  const input = { kind: "snapshot", location, version: state.version, schema: state.schema } as const;
  const bound = { query: compiled, inputs: new Map([[relation.id, input]]) };
  return (await engine.query(bound, { limit, signal: abort })).rows;
}
