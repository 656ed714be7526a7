import { isDeepStrictEqual } from "node:util";
import type { ChangeRules } from "../model/changes.js";
import { formatType } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { GraphFlow } from "./graph.js";

/**
 * Flows of changes share a table only with their like: the order of events decides about a row, and rows that came
 * another way, or by other rules, have no place in it.
 *
 * @throws IngotError AUTOCDC_MULTIPLE_FLOWS_TO_TARGET
 */
export function checkSharedTarget(dataset: Dataset, flows: readonly GraphFlow[]): void {
  const first = flows.find(({ changes }) => changes !== undefined);
  if (first?.changes === undefined) return;
  for (const other of flows) {
    const difference =
      other.changes === undefined
        ? "one of them only adds rows"
        : other !== first && [first, other].some((flow) => isAlone(flow.changes))
          ? "one of them replaces rows, whoever brought them"
          : differs(first.changes, other.changes);
    if (difference === undefined) continue;
    const name = formatName(dataset.name);
    const [a, b] = [first.flow.name, other.flow.name];
    throw new IngotError(
      "AUTOCDC_MULTIPLE_FLOWS_TO_TARGET",
      `${name}: the flows ${a} and ${b} cannot share it: ${difference}`,
      {
        at: other.flow.at,
        object: name,
        hint: "Give both the same keys, columns, types and options; or a table of its own to each.",
      },
    );
  }
}

function isAlone(rules: ChangeRules | undefined): boolean {
  return rules?.snapshot !== undefined || rules?.replace !== undefined;
}

function differs(a: ChangeRules, b: ChangeRules): string | undefined {
  const names = ({ columns }: ChangeRules) => columns.map(({ name, type }) => `${name} ${formatType(type)}`).sort();
  const aspects: readonly (readonly [what: string, of: (rules: ChangeRules) => unknown])[] = [
    ["type", ({ storedAs }) => storedAs],
    ["keys", ({ keys }) => [...keys].sort()],
    ["columns", names],
    ["type of sequence", ({ sequenceType }) => formatType(sequenceType)],
    ["place of the sequence", ({ sequenceColumn }) => sequenceColumn],
    ["ties", ({ ties }) => ties],
    ["ignored NULLs", ({ ignoreNulls }) => [...ignoreNulls].sort()],
    ["columns to update", ({ listable }) => listable !== undefined],
    ["tracked columns", ({ tracked }) => [...tracked].sort()],
  ];
  const found = aspects.find(([, of]) => !isDeepStrictEqual(of(a), of(b)));
  return found && `they differ in ${found[0]}`;
}
