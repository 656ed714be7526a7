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
 * @throws IngotError NOT_SUPPORTED for files and views
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
    if (input.kind !== "table") throw noContract(flow, input, dataset);
    const { name, schema: columns, options } = input;
    // A version of the past does not change.
    if (columns === undefined) continue;
    const before =
      contract.sources[name] ?? (await declaredContract(flow, dataset, { id, columns, schemas }, compiler));
    const source = inspectSource(name, { before, columns }, dataset, contract.decisions);
    drift.set(name, source);
    const schema = columnsFound(columns, source);
    found.set(id, { input: { ...input, schema }, schema: columnsRead(schema, options) });
  }
  return { found, drift: [...drift.values()] };
}

function noContract({ at }: Flow, input: GraphInput, dataset: Dataset): IngotError {
  const name = formatName(dataset.name);
  const [what, hint] =
    input.kind === "files"
      ? [
          "files",
          "schemaEvolutionMode of read_files says what a new column does: declare drift where its table is read.",
        ]
      : ["a view", "Declare drift on the view: it looks at the tables that the view reads."];
  return new IngotError("NOT_SUPPORTED", `${name}: the option \`drift\` of a dataset that reads ${what}`, {
    at,
    object: name,
    hint,
  });
}
