import { randomUUID } from "node:crypto";
import { link, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, syncFolder } from "../engine/durable-files.js";

/** Writes a file whole or not at all, and on disk with its folders when this returns. Replaces one of that name. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await withTemporary(path, text, (temporary) => rename(temporary, path));
}

/** The same, but never over a file that is there: false then. */
export async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await withTemporary(path, text, (temporary) => link(temporary, path));
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

/** Moves a finished folder to its place; fails where one is. */
export async function publishFolder(staging: string, path: string): Promise<void> {
  await rename(staging, path);
  await syncFolder(dirname(path));
}

/** The text of a file, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

async function withTemporary(path: string, text: string, publish: (temporary: string) => Promise<void>): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await publish(temporary);
    await syncFolder(folder);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The numbers in the names of a folder that match; none where the folder is not there. */
export async function numberedNames(folder: string, pattern: RegExp): Promise<number[]> {
  try {
    return (await readdir(folder)).flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
