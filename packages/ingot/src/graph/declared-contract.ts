import type { Field } from "../model/data-type.js";
import type { Dataset, Flow } from "../model/definition.js";
import type { ContractColumn } from "../model/drift.js";
import { sameName } from "../model/name.js";
import type { Compiler } from "../sql/compiler.js";
import { parseType } from "../sql/ddl-types.js";
import { mainQuery } from "./flow-query.js";

/**
 * What a dataset with declared columns expects of a source that it has not seen before: a column of the source that the
 * query copies has the type that is declared for it, and one that it copies into no declared column is not expected.
 * Undefined where no column is declared.
 */
export async function declaredContract(
  flow: Flow,
  { columns: declared = [] }: Dataset,
  source: {
    /** Of the relation. */
    readonly id: string;
    readonly columns: readonly Field[];
    /** Of all that the query reads. */
    readonly schemas: ReadonlyMap<string, readonly Field[]>;
  },
  compiler: Compiler,
): Promise<readonly ContractColumn[] | undefined> {
  if (declared.length === 0) return undefined;
  const { schema, lineage } = await compiler.compile(mainQuery(flow), source.schemas);
  return source.columns.flatMap(({ name, type }): ContractColumn[] => {
    const copies = schema.filter((_, i) => {
      const [from, ...others] = lineage?.columns[i] ?? [];
      const isCopy = from?.how === "copied" && from.fields === undefined && others.length === 0;
      return isCopy && from.relation === source.id && sameName(from.column, name);
    });
    if (copies.length === 0) return [{ name, type }];
    const into = declared.find((column) => copies.some((copy) => sameName(copy.name, column.name)));
    if (into === undefined) return [];
    return [{ name, type: into.type === undefined ? type : parseType(into.type) }];
  });
}
