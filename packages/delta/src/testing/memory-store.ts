import type { Entry, Store } from "../store/store.js";

/** @param clock the times of files */
export function memoryStore(clock: () => number = Date.now): Store {
  const files = new Map<string, Uint8Array>();
  const times = new Map<string, number>();
  const write = (path: string, content: string | Uint8Array): void => {
    files.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    times.set(path, clock());
  };
  return {
    async list(folder) {
      const prefix = `${folder.replace(/\/+$/, "")}/`;
      const entries = new Map<string, Entry>();
      for (const [path, content] of files) {
        if (!path.startsWith(prefix)) continue;
        const end = path.indexOf("/", prefix.length);
        const isFile = end === -1;
        const name = path.slice(prefix.length, isFile ? undefined : end);
        const entry = { name, modified: times.get(path) ?? 0 };
        entries.set(
          name,
          isFile ? { ...entry, kind: "file", size: content.length } : { ...entry, kind: "folder", size: 0 },
        );
      }
      return [...entries.values()];
    },
    async read(path, range) {
      const content = files.get(path);
      if (content === undefined) throw Object.assign(new Error(`no file ${path}`), { code: "ENOENT" });
      if (range === undefined) return content;
      const start = range.offset < 0 ? Math.max(0, content.length + range.offset) : range.offset;
      return content.subarray(start, range.length === undefined ? undefined : start + range.length);
    },
    async putIfAbsent(path, content) {
      const isFree = !files.has(path);
      if (isFree) write(path, content);
      return isFree;
    },
    async put(path, content) {
      write(path, content);
    },
    async delete(path) {
      files.delete(path);
    },
  };
}
