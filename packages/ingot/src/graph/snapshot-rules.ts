import type { ChangeRules } from "../model/changes.js";
import { type Field, formatType } from "../model/data-type.js";
import type { Expectation, SnapshotCdcFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { positionAt } from "../model/position.js";
import type { CompiledQuery } from "../model/query.js";
import { isComparable } from "../sql/bind/type-rules.js";
import { refuseSourceNames, resolveKeys, splitSequence, trackedColumns, WHOLE_ROWS } from "./change-rules.js";

/**
 * What a flow does with a snapshot: as `changeRules` for the rows of `snapshotQuery`.
 *
 * @param expectations of the target
 * @throws IngotError AUTOCDC_…, APPLY_CHANGES_FROM_SNAPSHOT_…, COLUMN_ALREADY_EXISTS
 */
export function snapshotRules(
  flow: SnapshotCdcFlow,
  query: CompiledQuery,
  expectations: readonly Expectation[],
): ChangeRules {
  refuseExpectations(flow, expectations);
  const { columns, sequence } = splitSequence(query);
  refuseSourceNames(flow, columns);
  const keys = resolveKeys(flow, flow.keys, columns);
  const others = columns.filter(({ name }) => !keys.includes(name)).map(({ name }) => name);
  refuseUnordered(flow, sequence);
  return {
    storedAs: flow.storedAs,
    keys,
    columns,
    sequenceType: sequence.type,
    ...WHOLE_ROWS,
    tracked: trackedColumns(flow, columns, others),
    snapshot: {
      versioned: flow.version !== undefined,
      ...(flow.minRowShare === undefined ? {} : { minRowShare: flow.minRowShare }),
    },
  };
}

/** A row that a rule leaves out would look like one that is gone. */
function refuseExpectations({ name }: SnapshotCdcFlow, [first]: readonly Expectation[]): void {
  if (first === undefined) return;
  throw new IngotError(
    "APPLY_CHANGES_FROM_SNAPSHOT_EXPECTATIONS_NOT_SUPPORTED",
    `The flow ${name}: its target has the expectation \`${first.name}\`, and a row of a snapshot that it leaves out would be deleted`,
    { at: first.at, object: name, hint: "Check the rows in a table that the snapshot is read from." },
  );
}

/** The version of the last snapshot is kept as text. */
function refuseUnordered({ name, version }: SnapshotCdcFlow, { type }: Field): void {
  const isPlain = isComparable(type) && !["void", "interval", "array", "map", "struct", "binary"].includes(type.kind);
  if (isPlain || version === undefined) return;
  throw new IngotError(
    "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.SNAPSHOT_VERSION_NOT_SORTABLE",
    `The flow ${name}: the version of its snapshots is ${formatType(type)}`,
    { at: positionAt(version, 0), object: name, hint: "Use a number, a text, a date or a time." },
  );
}
