import { isDeepStrictEqual } from "node:util";
import type { TableDefinition } from "../commit/change.js";
import { type StagedCommit, stageChange, stageCreation } from "../commit/stage.js";
import { type FileLayout, fileLayout } from "../engine/file-layout.js";
import type { Definition } from "../schema/definition.js";
import { keepTypeChanges } from "../schema/prepare-definition.js";
import { recordTypeChanges } from "../schema/type-widening.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** What a table is to be, known before the files are written that come with its definition. */
export interface PlannedDefinition {
  /** For `createTable`, or for a change's `metadata`, with the ids and physical names that the files have. */
  readonly definition: TableDefinition;
  /** The table is not so yet: a commit must carry the definition. */
  readonly isChanged: boolean;
  /** Of the files that come with it. */
  readonly layout: FileLayout;
  /** For `compileRules`. */
  readonly table: Definition;
}

/**
 * Works out what a commit makes of a definition: columns keep their ids and physical names, new ones get theirs, types
 * that became wider are noted as changed, and what commits keep by themselves (`delta.columnMapping.maxColumnId`, names of row tracking's columns, since when times
 * are stated, `delta.feature.*` once the protocol has it) makes no difference to what the table is. Nothing is written.
 *
 * @param definition the whole of it: properties that are not stated go
 * @param snapshot undefined for a new table
 * @param isReplaced all rows go with the change
 * @throws DeltaError what `createTable` or `commit` would throw for the definition, before any file is written
 */
export function planDefinition(
  table: string,
  definition: TableDefinition,
  snapshot?: Snapshot,
  isReplaced = false,
): PlannedDefinition {
  const wanted = { partitionColumns: [], configuration: {}, description: undefined, ...definition };
  if (snapshot !== undefined && !isReplaced)
    wanted.schema = recordTypeChanges(snapshot, keepTypeChanges(wanted.schema, snapshot.schema));
  const change = { operation: "WRITE", ...(isReplaced ? { remove: "all" as const } : {}) };
  const staged =
    snapshot === undefined
      ? stageCreation(table, wanted, change, 0)
      : stageChange(snapshot, { ...change, metadata: wanted });
  const { metadata, schema } = staged.base;
  const version = snapshot === undefined ? {} : { version: snapshot.version };
  const next = { table, ...version, schema, metadata, protocol: staged.base.protocol };
  return {
    definition: toDefinition(wanted, staged),
    isChanged: snapshot === undefined || !isSame(snapshot, staged),
    layout: fileLayout(next),
    table: next,
  };
}

function isSame(snapshot: Snapshot, { base, protocol }: StagedCommit): boolean {
  const of = ({ schema, metadata }: Pick<Snapshot, "schema" | "metadata">) => {
    const { name, description, partitionColumns, configuration } = metadata;
    return { schema, name, description, partitionColumns, configuration };
  };
  return protocol === undefined && isDeepStrictEqual(of(snapshot), of(base));
}

/** Properties that ask for a protocol raise it when they are committed, and are not among those that are stored. */
function toDefinition(wanted: TableDefinition, { base: { schema, metadata } }: StagedCommit): TableDefinition {
  return { ...wanted, schema, configuration: { ...wanted.configuration, ...metadata.configuration } };
}
