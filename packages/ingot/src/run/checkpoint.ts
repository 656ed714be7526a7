import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { folderName } from "../graph/places.js";
import type { BatchInput, CompactedBatches, Manifest } from "../model/batch.js";
import type { Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { appPrefix } from "../plan/app-id.js";
import { compactBatches } from "../plan/history.js";
import { createFile, numberedNames, publishFolder, readIfThere, replaceFile } from "./atomic-file.js";
import { readCompacted, writeCompacted } from "./compacted-file.js";
import { fromStored, toStored } from "./portable-manifest.js";

/**
 * The checkpoint of a flow: `<storage>/_checkpoints/<catalog>/<schema>/<table>/<flow>/<n>/`, where `n` rises with each
 * full refresh or reset of the checkpoint. In it `metadata.json` (`id`, by which the target's `txn` knows the generation,
 * and `table`, the folder of the target from the storage on) and one manifest a batch, `batch-<k>.json`, written before
 * anything else of it; for a view `unchanged.json`, the last `batch` that had nothing to commit.
 */
export interface Checkpoint {
  readonly folder: string;
  readonly generation: number;
  /** `txn.appId` of its batches. */
  readonly appId: string;
  /** In order, without gaps, behind those that are compacted. */
  readonly manifests: readonly Manifest[];
  readonly compacted?: CompactedBatches;
  /** Batch of a view that found the rows of its query in the table, so that it has no commit. */
  readonly unchanged?: number;
}

/** Folder of all generations of a flow. */
export function checkpointFolder(storage: string, flow: Flow): string {
  const { catalog, schema, table } = flow.target;
  return join(storage, "_checkpoints", ...[catalog, schema, table, flow.name].map(folderName));
}

/**
 * The newest generation with its batches, or undefined before the first run. All paths are absolute.
 *
 * @param root folder of the spec
 * @throws IngotError CHECKPOINT_DAMAGED
 */
export async function readCheckpoint(storage: string, flow: Flow, root: string): Promise<Checkpoint | undefined> {
  const newest = await newestGeneration(storage, flow);
  return newest && readGeneration(checkpointFolder(storage, flow), newest.generation, flow, root);
}

/** The newest generation by its number alone, whatever state its files are in: it only says which one comes next. */
export async function newestGeneration(storage: string, flow: Flow): Promise<Checkpoint | undefined> {
  const base = checkpointFolder(storage, flow);
  const generation = Math.max(...(await numberedNames(base, /^(\d+)$/)));
  if (generation === Number.NEGATIVE_INFINITY) return undefined;
  return { folder: join(base, String(generation)), generation, appId: "", manifests: [] };
}

/**
 * Starts the next generation with its first manifest: the first of all, or the one after a full refresh. Both appear
 * together (a folder renamed), so that a crash between them cannot leave a generation that would read everything
 * again. Old generations stay.
 *
 * @param location folder of the target
 * @param root folder of the spec
 */
export async function startGeneration(
  storage: string,
  flow: Flow,
  after: Checkpoint | undefined,
  first: Manifest,
  location: string,
  root: string,
): Promise<Checkpoint> {
  const base = checkpointFolder(storage, flow);
  const generation = after === undefined ? 0 : after.generation + 1;
  const staging = join(base, `.${randomUUID()}`);
  try {
    await replaceFile(
      join(staging, "metadata.json"),
      `${JSON.stringify({ id: randomUUID(), table: relative(storage, location) })}\n`,
    );
    await replaceFile(join(staging, "batch-0.json"), `${JSON.stringify(toStored(first, root))}\n`);
    await publishFolder(staging, join(base, String(generation)));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return readGeneration(base, generation, flow, root);
}

/** So many files, or manifests, are read one by one before they are compacted. */
const MANY_FILES = 1000;
const MANY_MANIFESTS = 100;

/**
 * Whether reading what was done has become dear: a quarter more files than were compacted before, so that compacting
 * stays in proportion to what is new.
 */
export function isCompactingDue({ manifests, compacted }: Checkpoint): boolean {
  const files = manifests
    .flatMap(({ inputs }) => Object.values(inputs))
    .reduce((sum, input) => sum + filesIn(input), 0);
  const before = Object.values(compacted?.sources ?? {}).reduce((sum, source) => sum + source.files.size, 0);
  return files >= Math.max(MANY_FILES, before / 4) || manifests.length >= MANY_MANIFESTS;
}

/** Writes down what all batches come to, so that their manifests need not be read again. */
export async function compactCheckpoint(checkpoint: Checkpoint, root: string): Promise<void> {
  const next = compactBatches(checkpoint);
  if (next !== undefined) await writeCompacted(checkpoint.folder, next, root);
}

/** Notes that the last batch had nothing to commit. */
export async function noteUnchanged({ folder, manifests }: Checkpoint): Promise<void> {
  const batch = manifests.at(-1)?.batch;
  await replaceFile(join(folder, UNCHANGED), `${JSON.stringify({ batch })}\n`);
}

const UNCHANGED = "unchanged.json";

async function readUnchanged(folder: string): Promise<{ readonly unchanged?: number }> {
  const path = join(folder, UNCHANGED);
  const text = await readIfThere(path);
  if (text === undefined) return {};
  const { batch } = parse<{ batch?: unknown }>(path, text);
  if (typeof batch !== "number") throw damaged(path, "it names no batch");
  return { unchanged: batch };
}

function filesIn(input: BatchInput): number {
  return input.kind === "files" ? input.files.length + (input.passed?.length ?? 0) : 0;
}

/** Writes the next manifest. From here on the batch is a fact: it is done as written, now or by a retry. */
export async function writeManifest(checkpoint: Checkpoint, manifest: Manifest, root: string): Promise<Checkpoint> {
  const path = join(checkpoint.folder, `batch-${manifest.batch}.json`);
  if (!(await createFile(path, `${JSON.stringify(toStored(manifest, root))}\n`))) {
    throw damaged(path, "it is there already: another run is writing");
  }
  return { ...checkpoint, manifests: [...checkpoint.manifests, manifest] };
}

/** Takes the last manifest back, of which nothing has come. */
export async function withdrawManifest({ folder }: Checkpoint, batch: number): Promise<void> {
  await rm(join(folder, `batch-${batch}.json`));
}

async function readGeneration(base: string, generation: number, flow: Flow, root: string): Promise<Checkpoint> {
  const folder = join(base, String(generation));
  const metadata = join(folder, "metadata.json");
  const id = parse<{ id?: unknown }>(metadata, (await readIfThere(metadata)) ?? "").id;
  if (typeof id !== "string") throw damaged(metadata, "it names no id");
  const batches = (await numberedNames(folder, /^batch-(\d+)\.json$/)).sort((a, b) => a - b);
  const compacted = await readCompacted(folder, batches.length - 1, root);
  const first = compacted === undefined ? 0 : compacted.upTo + 1;
  const manifests = await Promise.all(
    batches.slice(first).map(async (batch, i) => {
      const index = first + i;
      const path = join(folder, `batch-${batch}.json`);
      const manifest = parse<Manifest>(path, await readFile(path, "utf8"));
      if (manifest.format !== 1) throw damaged(path, `its format is ${manifest.format}, and this Ingot knows 1`);
      if (batch !== index || manifest.batch !== batch) throw damaged(path, `batch ${index} should stand here`);
      if (typeof manifest.inputs !== "object" || manifest.inputs === null) throw damaged(path, "it names no inputs");
      return fromStored(manifest, root);
    }),
  );
  const appId = `${appPrefix(flow)}${id}`;
  const unchanged = await readUnchanged(folder);
  return { folder, generation, appId, manifests, ...(compacted === undefined ? {} : { compacted }), ...unchanged };
}

function parse<T>(path: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, "it is no JSON", cause);
  }
  if (typeof value !== "object" || value === null) throw damaged(path, "it holds no object");
  return value as T;
}

function damaged(path: string, why: string, cause?: unknown): IngotError {
  return new IngotError("CHECKPOINT_DAMAGED", `The checkpoint file ${path} cannot be used: ${why}`, {
    object: path,
    hint: "Restore it from a backup, or start the table again with --full-refresh.",
    cause,
  });
}
