import type { Engine } from "../engine/engine.js";
import type { GraphFlow } from "../graph/graph.js";
import type { BatchFile, BatchInput, ColumnNotice } from "../model/batch.js";
import { type Field, formatType } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import type { FileRead } from "../model/file-read.js";
import { filesSeen, type History, positionOf } from "../plan/history.js";
import { type Leaf, leavesOf } from "../plan/inputs.js";
import type { Offer } from "../plan/plan-flow.js";
import { checkSameTable } from "../plan/position.js";
import { isEmpty, type TableOffer, unreadRange } from "../plan/table-range.js";
import { checkPartition } from "../sources/files/declared-columns.js";
import { type LandingFiles, optionsKey } from "../sources/files/landing-files.js";
import { planFileBatch } from "../sources/files/plan-file-batch.js";
import { sourceColumns } from "../sources/files/source-columns.js";
import { wholeFiles } from "../sources/files/whole-files.js";

/**
 * Looks at what each input of a flow offers now. Reads; writes nothing.
 *
 * @throws IngotError PATH_NOT_FOUND, FILE_…, UNKNOWN_TABLE, CHECKPOINT_DAMAGED, DELTA_SOURCE_TABLE_IGNORE_CHANGES
 */
export async function discover(
  flow: GraphFlow,
  history: History,
  context: { readonly engine: Engine; readonly landing: LandingFiles },
): Promise<Map<string, Offer>> {
  const offers = new Map<string, Offer>();
  for (const [key, leaf] of leavesOf(flow)) {
    if (leaf.kind === "table") offers.set(key, await tableOffer(key, leaf, history, context.engine));
    else offers.set(key, await filesOffer(key, leaf, flow, history, context.landing));
  }
  return offers;
}

/** @throws IngotError also for files that the columns of the query cannot take: UNKNOWN_FIELD_EXCEPTION and others. */
async function filesOffer(
  key: string,
  { read, stream, columns }: Leaf & { readonly kind: "files" },
  flow: GraphFlow,
  history: History,
  landing: LandingFiles,
): Promise<Offer> {
  const before = positionOf(history, key);
  const options = optionsKey(read);
  try {
    const found = stream
      ? await planFileBatch(landing, read, filesSeen(flow, history, key), { first: before === undefined })
      : await wholeFiles(landing, read, lookedInto(before, options));
    for (const file of found.files) checkPartition(columns, file);
    const offer = { kind: "files", more: false, options, notices: [], ...found } as const;
    if (read.schema !== undefined) return offer;
    const known = stream && before?.kind === "files" ? before.columns : undefined;
    const { columns: after, found: untyped, notices, fault } = sourceColumns(read, known, found.files);
    if (fault !== undefined && found.files.length > 0) throw fault;
    refuseUnknown(read, columns, after);
    const assumed = read.inferColumnTypes ? tellTypes(columns, untyped, found.files) : [];
    return { ...offer, notices: [...notices, ...assumed], columns };
  } catch (error) {
    if (read.onMissing === "fail" || !(error instanceof IngotError) || error.code !== "PATH_NOT_FOUND") throw error;
    const held = { path: read.path, reason: "missing", detail: error.message } as const;
    return { kind: "files", files: [], held: [held], more: false, options, notices: [], absent: true };
  }
}

/** What was assumed of columns whose types nobody declared. */
function tellTypes(columns: readonly Field[], names: readonly string[], files: readonly BatchFile[]): ColumnNotice[] {
  const [first] = files;
  if (first === undefined) return [];
  return names.flatMap((column): ColumnNotice[] => {
    const type = columns.find(({ name }) => name === column)?.type;
    if (type === undefined) return [];
    const detail = `${column} is taken as ${formatType(type)}, which holds all its values.`;
    return [{ kind: "assumed", column, files: files.length, path: first.path, detail }];
  });
}

/** What the query was typed without would be lost. */
function refuseUnknown({ path }: FileRead, typed: readonly Field[], found: readonly Field[]): void {
  const names = new Set(typed.map(({ name }) => name.toLowerCase()));
  const lost = found.find(({ name }) => !names.has(name.toLowerCase()));
  if (lost === undefined) return;
  throw new IngotError("FILE_CHANGED", `${path} has a column that was not there when the run began: ${lost.name}`, {
    object: path,
    hint: "Run again: its columns are looked at when a run begins.",
  });
}

/** The files of a whole read's last batch, where they were looked into with the same options. */
function lookedInto(before: BatchInput | undefined, options: string): Map<string, BatchFile> {
  const files = before?.kind === "files" && before.options === options ? before.files : [];
  return new Map(files.map((file) => [file.path, file]));
}

type TableLeaf = Leaf & { readonly kind: "table" };

/** @throws IngotError UNKNOWN_TABLE; CHECKPOINT_DAMAGED, DELTA_… for versions that the read cannot follow */
async function tableOffer(key: string, leaf: TableLeaf, history: History, engine: Engine): Promise<Offer> {
  const state = await engine.describe(
    leaf.location,
    leaf.version === undefined ? undefined : { version: leaf.version },
  );
  if (state === undefined) {
    throw new IngotError("UNKNOWN_TABLE", `${leaf.name} has no rows yet: no run has made its table`, {
      object: leaf.name,
      hint: leaf.key === undefined ? "Run the pipeline that owns it first." : "It is not part of this run; run it too.",
    });
  }
  const before = positionOf(history, key);
  const offer: TableOffer = {
    kind: "table",
    tableId: state.id,
    version: state.version,
    ...(await namedRange(leaf, before, engine)),
  };
  checkSameTable(leaf, offer, before);
  if (!leaf.stream) return offer;
  const unread = unreadRange(offer, before);
  if (isEmpty(unread)) return offer;
  const { after, to, fromFile } = unread;
  const range = {
    ...(after === undefined ? {} : { after: BigInt(after) }),
    to: BigInt(to),
    ...(fromFile === undefined ? {} : { fromFile }),
  };
  return { ...offer, cut: await engine.admit(leaf.location, range, leaf.options ?? {}) };
}

/** The versions that a read names; a stream's start says nothing once it has a position. */
export async function namedRange(
  { location, stream, options }: TableLeaf,
  before: BatchInput | undefined,
  engine: Engine,
): Promise<Pick<TableOffer, "range">> {
  if (options?.from === undefined || (stream && before !== undefined)) return {};
  return { range: await engine.resolveRange(location, options.from, options.to) };
}
