import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { partOf } from "../graph/places.js";
import { IngotError } from "../model/error.js";
import type { TableName } from "../model/name.js";
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
  const id = textField(text, "id");
  if (id !== undefined) return id;
  throw new IngotError("CHECKPOINT_DAMAGED", `${path} names no pipeline id`, {
    object: path,
    hint: 'Restore it, or write {"id": "…"} with the id that the tables carry in pipelines.pipelineId.',
  });
}

/** A table that the pipeline filled once, by its checkpoints: its name in lower case, and its folder. */
export interface FilledTable {
  readonly name: TableName;
  readonly location: string;
}

export async function filledTables(storage: string): Promise<FilledTable[]> {
  const tables: FilledTable[] = [];
  for (const catalog of await parts(join(storage, "_checkpoints"))) {
    for (const schema of await parts(catalog.folder)) {
      for (const table of await parts(schema.folder)) {
        const location = await locationBelow(table.folder, storage);
        if (location === undefined) continue;
        tables.push({ name: { catalog: catalog.part, schema: schema.part, table: table.part }, location });
      }
    }
  }
  return tables;
}

/** The table's folder as the newest checkpoint of one of its flows names it; a damaged one names none. */
async function locationBelow(folder: string, storage: string): Promise<string | undefined> {
  for (const flow of await parts(folder)) {
    const generations = (await parts(flow.folder)).map((g) => g.part).filter((part) => /^\d+$/.test(part));
    const newest = generations.sort((a, b) => Number(b) - Number(a))[0];
    const text = newest === undefined ? undefined : await readIfThere(join(flow.folder, newest, "metadata.json"));
    const table = textField(text, "table");
    if (table !== undefined) return resolve(storage, table);
  }
  return undefined;
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

/** A text in a small JSON file; undefined where the file is damaged. */
function textField(json: string | undefined, key: string): string | undefined {
  try {
    const value = (JSON.parse(json ?? "") as Readonly<Record<string, unknown>> | null)?.[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
