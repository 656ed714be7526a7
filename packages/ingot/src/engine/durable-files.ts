import { mkdir, open } from "node:fs/promises";
import { platform } from "node:os";
import { dirname } from "node:path";

/** Makes a folder with its parents; those that are new survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Makes new names in a folder survive a power cut. Windows cannot open a folder and needs no such step. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes what a file holds survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
