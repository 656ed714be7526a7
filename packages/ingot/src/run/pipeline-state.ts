import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { partOf } from "../graph/places.js";
import { IngotError } from "../model/error.js";
import { createFile, isErrno, readIfThere } from "./atomic-file.js";

/**
 * Identity of a pipeline as owner of its tables, kept in its storage: whoever may write there continues the pipeline.
 * No person's name is part of it.
 */
export async function pipelineId(storage: string, fixed: string | undefined): Promise<string> {
  const known = await knownPipelineId(storage, fixed);
  if (known !== undefined) return known;
  const id = randomUUID();
  const mine = await createFile(join(storage, "_pipeline.json"), `${JSON.stringify({ id })}\n`);
  return mine ? id : pipelineId(storage, fixed);
}

/** The pipeline's id where a run has made one. Writes nothing: a dry run asks too. */
export async function knownPipelineId(storage: string, fixed: string | undefined): Promise<string | undefined> {
  if (fixed !== undefined) return fixed;
  const path = join(storage, "_pipeline.json");
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const id = ((): unknown => {
    try {
      return (JSON.parse(text) as { id?: unknown } | null)?.id;
    } catch {
      return undefined;
    }
  })();
  if (typeof id === "string") return id;
  throw new IngotError("CHECKPOINT_DAMAGED", `${path} names no pipeline id`, {
    object: path,
    hint: 'Restore it, or write {"id": "…"} with the id that the tables carry in pipelines.pipelineId.',
  });
}

/** Tables that have a checkpoint, as `[catalog, schema, table]` in lower case: what the pipeline filled once. */
export async function filledTables(storage: string): Promise<[string, string, string][]> {
  const tables: [string, string, string][] = [];
  for (const catalog of await parts(join(storage, "_checkpoints"))) {
    for (const schema of await parts(catalog.folder)) {
      for (const table of await parts(schema.folder)) tables.push([catalog.part, schema.part, table.part]);
    }
  }
  return tables;
}

/** The folders that stand for name parts. What a file manager or a backup tool left beside them is none of ours. */
async function parts(path: string): Promise<{ readonly folder: string; readonly part: string }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => {
        const part = partOf(name);
        return part === undefined ? [] : { folder: join(path, name), part };
      })
      .sort((a, b) => (a.part < b.part ? -1 : 1));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
