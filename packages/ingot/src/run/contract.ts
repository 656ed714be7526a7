import { join } from "node:path";
import { folderName } from "../graph/places.js";
import type { Contract } from "../model/drift.js";
import { IngotError } from "../model/error.js";
import type { TableName } from "../model/name.js";
import { readIfThere, replaceFile } from "./atomic-file.js";

/**
 * What a dataset with `drift` has taken over of its sources: `<storage>/_drift/<catalog>/<schema>/<dataset>.json`. A full
 * refresh keeps it.
 *
 * @throws IngotError CHECKPOINT_DAMAGED
 */
export async function readContract(storage: string, dataset: TableName): Promise<Contract | undefined> {
  const path = contractPath(storage, dataset);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const { format, ...contract } = JSON.parse(text) as Contract & { readonly format: number };
    if (format === 1) return contract;
  } catch {}
  throw new IngotError("CHECKPOINT_DAMAGED", `The contract ${path} cannot be read`, {
    object: path,
    hint: "Restore it from a backup; or remove it, and the next run takes the sources' columns as they are then.",
  });
}

export async function writeContract(storage: string, dataset: TableName, contract: Contract): Promise<void> {
  await replaceFile(contractPath(storage, dataset), `${JSON.stringify({ format: 1, ...contract })}\n`);
}

function contractPath(storage: string, { catalog, schema, table }: TableName): string {
  return join(storage, "_drift", ...[catalog, schema].map(folderName), `${folderName(table)}.json`);
}
