import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type Alteration,
  alterTable,
  type CheckpointOptions,
  cleanUpLog,
  commit,
  createTable,
  localStore,
  type OptimizeOptions,
  optimize,
  purge,
  readRows,
  readSnapshot,
  restore,
  type Snapshot,
  type StructType,
  shallowClone,
  vacuum,
  writeCheckpoint,
} from "@ingot/delta";
import { toDeltaSchema } from "../../../packages/ingot/src/engine/tables/delta-schema.js";
import { parseSchema } from "../../../packages/ingot/src/sql/ddl-types.js";
import type { Value } from "../relation.js";
import { javascriptEvaluator } from "./expressions.js";
import type { ModelState, Place, Step, TableSpec, TableStep } from "./steps.js";
import type { Writer } from "./writers.js";

/** Makes a table and carries out the steps; gives where the table lies in the end. */
export async function carryOut(
  location: string,
  spec: TableSpec,
  steps: readonly Step[],
  writer: Writer,
): Promise<string> {
  await createTable(
    localStore,
    location,
    {
      schema: schemaOf(spec),
      partitionColumns: spec.partitionedBy ?? [],
      configuration: spec.properties ?? {},
    },
    { operation: "CREATE TABLE" },
  );
  if (spec.clusteredBy !== undefined) {
    const columns = spec.clusteredBy.map((column) => [column]);
    await alterTable(localStore, location, { kind: "cluster by", columns });
  }
  return carryOn(location, steps, writer);
}

export async function carryOn(location: string, steps: readonly Step[], writer: Writer): Promise<string> {
  const place: Place = { location, rewriter: writer.rewriter };
  for (const step of steps) {
    if (step.kind === "table") await step.run(place);
    else await writer.change(place.location, step);
  }
  return place.location;
}

/** The state of the model for a table that was just made. */
export function emptyModel(spec: TableSpec): ModelState {
  const columns = parseSchema(spec.columns).map(({ name }) => name);
  return { columns, rows: [], versions: spec.clusteredBy === undefined ? [[]] : [[], []] };
}

function schemaOf({ columns, generated = {}, defaults = {} }: TableSpec): StructType {
  const { fields } = toDeltaSchema(parseSchema(columns));
  return {
    kind: "struct",
    fields: fields.map((field) => {
      const { [field.name]: generation } = generated;
      const { [field.name]: byDefault } = defaults;
      return {
        ...field,
        metadata: {
          ...field.metadata,
          ...(generation === undefined ? {} : { "delta.generationExpression": generation }),
          ...(byDefault === undefined ? {} : { CURRENT_DEFAULT: byDefault }),
        },
      };
    }),
  };
}

function tableStep(run: TableStep["run"], more: Omit<TableStep, "kind" | "run"> = {}): TableStep {
  return { kind: "table", run, ...more };
}

type Effect = NonNullable<TableStep["effect"]>;

export function alter(alteration: Alteration, effect?: Effect): TableStep {
  const run: TableStep["run"] = ({ location }) =>
    alterTable(localStore, location, alteration, { violations: countViolations });
  return tableStep(run, effect === undefined ? {} : { effect });
}

async function countViolations(snapshot: Snapshot, sql: string): Promise<number> {
  const holds = javascriptEvaluator.compile(sql, snapshot.schema);
  let violations = 0;
  for await (const row of readRows(localStore, snapshot)) if (holds(row) !== true) violations += 1;
  return violations;
}

/** A column that the rows lack: NULL in all of them. */
export function addColumn(name: string, ddl: string): TableStep {
  const [field] = toDeltaSchema(parseSchema(`\`${name}\` ${ddl}`)).fields;
  if (field === undefined) throw new Error(`${ddl} is no type`);
  return alter({ kind: "add columns", columns: [{ path: [name], type: field.type }] }, ({ columns, rows }) => ({
    columns: [...columns, name],
    rows: rows.map((row) => [...row, null]),
  }));
}

export function dropColumn(name: string): TableStep {
  return alter({ kind: "drop columns", columns: [[name]] }, ({ columns, rows }) => ({
    columns: columns.filter((column) => column !== name),
    rows: rows.map((row) => row.toSpliced(columns.indexOf(name), 1)),
  }));
}

export function renameColumn(column: string, to: string): TableStep {
  return alter({ kind: "rename column", column: [column], to }, ({ columns }) => ({
    columns: columns.map((name) => (name === column ? to : name)),
  }));
}

/** `show` puts a value of the old type as the new type is shown. */
export function widen(
  path: readonly string[],
  ddl: string,
  show: (value: Value) => Value = (value) => value,
): TableStep {
  const [field] = toDeltaSchema(parseSchema(`x ${ddl}`)).fields;
  if (field === undefined) throw new Error(`${ddl} is no type`);
  return alter({ kind: "change column", column: path, change: { type: field.type } }, ({ columns, rows }) => {
    const at = columns.indexOf(path[0] ?? "");
    return { rows: rows.map((row) => row.with(at, row[at] === null ? null : show(row[at] as Value))) };
  });
}

export function optimizeTable(options: OptimizeOptions = {}): TableStep {
  return tableStep(({ location, rewriter }) => optimize(localStore, location, rewriter, options));
}

export function purgeTable(): TableStep {
  return tableStep(({ location, rewriter }) => purge(localStore, location, rewriter));
}

/** Deletes all that the newest version does not need. */
export function vacuumTable(commits: number): TableStep {
  const later = () => Date.now() + 60_000;
  return tableStep(({ location }) => vacuum(localStore, location, { retention: 0, force: true, now: later }), {
    commits,
  });
}

export function restoreVersion(version: number): TableStep {
  return tableStep(({ location }) => restore(localStore, location, { version: BigInt(version) }), {
    effect: ({ versions }) => ({ rows: versions[version] ?? [] }),
  });
}

/** The steps that follow go to the clone. */
export function cloneTable(): TableStep {
  return tableStep(async (place) => {
    const snapshot = await readSnapshot(localStore, place.location);
    if (snapshot === undefined) throw new Error(`${place.location} is no table`);
    const clone = `${place.location}-clone`;
    await shallowClone(localStore, snapshot, clone);
    place.location = clone;
  });
}

/** A checkpoint, and all before it gone, so that nobody reads the table without it. */
export function checkpoint(format: NonNullable<CheckpointOptions["format"]> = "parquet"): TableStep {
  return tableStep(
    async ({ location }) => {
      const { version } = await writeCheckpoint(localStore, location, { format });
      const { paths } = await cleanUpLog(localStore, location, { keepFrom: version });
      if (paths.length === 0) throw new Error(`the log of ${location} was not cleaned up`);
      // The commit of the checkpoint stays for its time; a reader does without it.
      await rm(join(location, "_delta_log", `${String(version).padStart(20, "0")}.json`));
    },
    { commits: 0 },
  );
}

/** A commit that only notes how far an application has got. */
export function noteTransaction(appId: string, version: bigint): TableStep {
  return tableStep(async ({ location }) => {
    const snapshot = await readSnapshot(localStore, location);
    if (snapshot === undefined) throw new Error(`${location} is no table`);
    await commit(localStore, snapshot, {
      operation: "STREAMING UPDATE",
      transactions: [{ appId, version }],
      isBlindAppend: true,
    });
  });
}

/** Puts the table's data files, without log, into another folder and goes on there. */
export function takeFiles(then: (folder: string) => Promise<unknown>, effect: Effect): TableStep {
  return tableStep(
    async (place) => {
      const folder = join(dirname(place.location), `${basename(place.location)}-files`);
      await mkdir(folder);
      for (const entry of await readdir(place.location))
        if (!entry.startsWith("_")) await cp(join(place.location, entry), join(folder, entry), { recursive: true });
      await then(folder);
      place.location = folder;
    },
    { effect },
  );
}
