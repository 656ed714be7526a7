import { type Field, fieldNamed } from "../model/data-type.js";
import type { CompiledQuery } from "../model/query.js";
import type { GraphInput } from "./graph.js";

/**
 * A query whose columns keep what is noted of the file's columns that they copy: the names that stand in the file, where
 * the columns have others. So the note gets into the table.
 */
export function keepFileComments(query: CompiledQuery, inputs: ReadonlyMap<string, GraphInput>): CompiledQuery {
  const schema = query.schema.map((field, i) => {
    const comment = field.comment ?? commentOf(query, i, inputs);
    return comment === undefined ? field : { ...field, comment };
  });
  return { ...query, schema };
}

function commentOf(query: CompiledQuery, column: number, inputs: ReadonlyMap<string, GraphInput>): string | undefined {
  const [source, ...others] = query.lineage?.columns[column] ?? [];
  if (source === undefined || others.length > 0 || source.how !== "copied" || source.fields !== undefined)
    return undefined;
  const input = inputs.get(source.relation);
  return input === undefined ? undefined : fieldNamed(columnsOf(input), source.column)?.comment;
}

function columnsOf(input: GraphInput): readonly Field[] {
  if (input.kind === "files") return input.columns;
  return input.kind === "view" ? input.view.query.schema : [];
}
