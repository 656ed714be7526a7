import type { Field } from "../model/data-type.js";
import type { Dataset, Flow } from "../model/definition.js";
import { type Contract, NO_CONTRACT } from "../model/drift.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { Compiler } from "../sql/compiler.js";
import { declaredContract } from "./declared-contract.js";
import { columnsFound, inspectSource, type SourceDrift } from "./drift.js";
import type { GraphInput } from "./graph.js";
import { columnsRead } from "./table-options.js";

/** An input, and the columns of it that a query sees. */
export interface InputColumns {
  readonly input: GraphInput;
  readonly schema: readonly Field[];
}

/**
 * Compares the inputs of a dataset with `drift` with its contract, and gives them as its query finds them.
 *
 * @param inputs by relation id
 * @throws IngotError NOT_SUPPORTED for views, and for files with a schema
 */
export async function inspectInputs(
  { flow, compiler }: { readonly flow: Flow; readonly compiler: Compiler },
  inputs: ReadonlyMap<string, InputColumns>,
  dataset: Dataset,
  contract: Contract = NO_CONTRACT,
): Promise<{ readonly found: ReadonlyMap<string, InputColumns>; readonly drift: readonly SourceDrift[] }> {
  const found = new Map(inputs);
  const drift = new Map<string, SourceDrift>();
  const schemas = new Map([...inputs].map(([id, { schema }]) => [id, schema]));
  for (const [id, { input }] of inputs) {
    if (input.kind === "view")
      throw noContract(
        flow,
        dataset,
        "a view",
        "Declare drift on the view: it looks at the tables that the view reads.",
      );
    if (input.kind === "files" && input.read.schema !== undefined) {
      const hint = "Their columns are those that the schema names: leave it out, or leave drift out.";
      throw noContract(flow, dataset, "files with a schema", hint);
    }
    const [source, columns] = input.kind === "files" ? [input.read.path, input.columns] : [input.name, input.schema];
    // A version of the past does not change.
    if (columns === undefined) continue;
    const before =
      contract.sources[source] ?? (await declaredContract(flow, dataset, { id, columns, schemas }, compiler));
    const keyBefore = contract.keys?.[source];
    const inspected = inspectSource(
      {
        source,
        columns,
        before,
        ...(input.kind === "table" && input.sourceKey !== undefined ? { key: input.sourceKey } : {}),
        ...(keyBefore === undefined ? {} : { keyBefore }),
      },
      dataset,
      contract.decisions,
    );
    drift.set(source, inspected);
    const schema = columnsFound(columns, inspected);
    found.set(
      id,
      input.kind === "files"
        ? { input: { ...input, columns: schema.map(({ hidden: _, ...field }) => field) }, schema }
        : { input: { ...input, schema }, schema: columnsRead(schema, input.options) },
    );
  }
  return { found, drift: [...drift.values()] };
}

function noContract({ at }: Flow, dataset: Dataset, what: string, hint: string): IngotError {
  const name = formatName(dataset.name);
  return new IngotError("NOT_SUPPORTED", `${name}: the option \`drift\` of a dataset that reads ${what}`, {
    at,
    object: name,
    hint,
  });
}
