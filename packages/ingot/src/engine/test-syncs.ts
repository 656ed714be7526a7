import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { onTestFinished, vi } from "vitest";

/** For tests: watches what is synced; gives a question whether a path, as it is now, was. */
export async function watchSyncs(): Promise<(path: string) => boolean> {
  const handle = await open(".", "r");
  await handle.close();
  const seen: bigint[] = [];
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const sync = prototype.sync;
  const spy = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    seen.push((await this.stat({ bigint: true })).ino);
    return sync.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return (path) => seen.includes(statSync(path, { bigint: true }).ino);
}
