import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/test-log.js";
import { buildProgram, runCommand } from "../testing/test-process.js";
import { cachedDataFiles } from "./file-cache.js";
import { localStore } from "./local-store.js";
import type { RemoteStore } from "./store.js";

const MIB = 2 ** 20;

/** A store that counts what is read of it; the files lie on the disk as they are. */
async function newCache(maxBytes = 100 * MIB) {
  const root = await temporaryFolder();
  const folder = `${root}/cache`;
  const reads: string[] = [];
  const store: RemoteStore = {
    ...localStore,
    read: (path, range) => {
      reads.push(path);
      return localStore.read(path, range);
    },
    upload: async (localPath, path) => {
      await mkdir(dirname(path), { recursive: true });
      await copyFile(localPath, path);
    },
  };
  async function put(name: string, size: number) {
    const [path, content] = [`${root}/table/${name}`, randomBytes(size)];
    await localStore.put(path, content);
    return { path, size, content };
  }
  const names = async (part: string): Promise<string[]> => readdir(join(folder, part));
  return { cache: cachedDataFiles(store, { folder, maxBytes }), store, folder, reads, put, names, root };
}

describe("open", () => {
  it("gives copies of every size, to the byte and in order", async () => {
    const { cache, put } = await newCache();
    const sizes = [0, 1, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 17 * MIB];
    const files = await Promise.all(sizes.map((size, index) => put(`p=a%20b/${index}.parquet`, size)));
    const { paths, close } = await cache.open(files);
    for (const [index, path] of paths.entries()) {
      expect(path).toMatch(/\.parquet$/);
      expect(Buffer.compare(await readFile(path), files[index]?.content ?? Buffer.of(1))).toBe(0);
    }
    await close();
  });

  it("asks the store once, also when many ask at once, and one file twice", async () => {
    const { cache, put, reads, names } = await newCache();
    const file = await put("a.parquet", 1000);
    const all = await Promise.all(Array.from({ length: 8 }, () => cache.open([file, file])));
    expect(reads).toHaveLength(1);
    for (const { paths, close } of all) {
      expect(paths[0]).toBe(paths[1]);
      expect(Buffer.compare(await readFile(paths[0] ?? ""), file.content)).toBe(0);
      await close();
    }
    await (await cache.open([file])).close();
    expect(reads).toHaveLength(1);
    expect(await names("open")).toEqual([]);
    expect(await names("copies")).toHaveLength(1);
  });

  it("fetches a damaged copy again", async () => {
    const { cache, put, names, folder } = await newCache();
    const file = await put("a.parquet", 1000);
    await (await cache.open([file])).close();
    const [name = ""] = await names("copies");
    await truncate(join(folder, "copies", name), 999);
    const { paths } = await cache.open([file]);
    expect(Buffer.compare(await readFile(paths[0] ?? ""), file.content)).toBe(0);
  });

  it("refuses a file that is absent, shorter or longer than the log says, and leaves nothing", async () => {
    const { cache, put, names, root } = await newCache();
    const [file, large] = [await put("a.parquet", 1000), await put("b.parquet", 8 * MIB)];
    const absent = { path: `${root}/table/absent`, size: 0 };
    await expect(cache.open([file, absent])).rejects.toMatchObject({ code: "ENOENT" });
    await expect(cache.open([{ ...file, size: 1001 }])).rejects.toThrow(/1000 bytes, and the log says 1001/);
    await expect(cache.open([{ ...file, size: 999 }])).rejects.toThrow(/the log says 999/);
    await expect(cache.open([{ ...large, size: 8 * MIB - 1 }])).rejects.toThrow(/the log says/);
    await expect(cache.open([{ ...large, size: 9 * MIB }])).rejects.toThrow(/the log says/);
    expect(await names("open")).toEqual([]);
    expect((await names("copies")).filter((name) => !name.endsWith("-1000.parquet"))).toEqual([]);
  });

  it("keeps what was used last, within its bound, and never takes an open file away", async () => {
    const { cache, put, reads, names } = await newCache(2500);
    const [a, b, c] = [await put("a", 1000), await put("b", 1000), await put("c", 1000)];
    const open = await cache.open([a]);
    await tick();
    await (await cache.open([b])).close();
    await tick();
    // Used again, `a` outlives `b`.
    await (await cache.open([a])).close();
    await tick();
    await (await cache.open([c])).close();
    expect(await names("copies")).toHaveLength(2);
    reads.length = 0;
    await (await cache.open([a, c])).close();
    expect(reads).toEqual([]);
    await tick();
    await (await cache.open([b])).close();
    await tick();
    await (await cache.open([c, b])).close();
    expect(Buffer.compare(await readFile(open.paths[0] ?? ""), a.content)).toBe(0);
    await open.close();
    await expect(stat(open.paths[0] ?? "")).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("works where no copy fits", async () => {
    const { cache, put, names } = await newCache(10);
    const files = [await put("a", 1000), await put("b", 1000)];
    const { paths, close } = await cache.open(files);
    expect(await names("copies")).toEqual([]);
    expect(Buffer.compare(await readFile(paths[1] ?? ""), files[1]?.content ?? Buffer.of())).toBe(0);
    await close();
  });

  it("removes what crashed processes left, and nothing of living ones", async () => {
    const { cache, put, names, folder } = await newCache();
    const old = new Date(Date.now() - 25 * 3_600_000);
    const dead = 2 ** 22 + 1; // beyond Linux's largest process id
    for (const name of [`${dead}-old`, `${dead}-young`, `${process.pid}-old`]) {
      await mkdir(join(folder, "open", name), { recursive: true });
      if (name.endsWith("old")) await utimes(join(folder, "open", name), old, old);
    }
    await mkdir(join(folder, "copies"));
    for (const name of ["x.old.part", "x.young.part"]) await writeFile(join(folder, "copies", name), "");
    await utimes(join(folder, "copies", "x.old.part"), old, old);
    await (await cache.open([await put("a", 10)])).close();
    expect((await names("open")).sort()).toEqual([`${dead}-young`, `${process.pid}-old`].sort());
    expect((await names("copies")).filter((name) => name.endsWith(".part"))).toEqual(["x.young.part"]);
  });
});

describe("stage, publish, discard", () => {
  it("puts a file into the store and keeps a copy", async () => {
    const { cache, root, reads, names } = await newCache();
    const path = `${root}/table/part-1.parquet`;
    await writeFile(await cache.stage(path), "12345");
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    await cache.publish(path);
    expect(await readFile(path, "utf8")).toBe("12345");
    const { paths, close } = await cache.open([{ path, size: 5 }]);
    expect([await readFile(paths[0] ?? "", "utf8"), reads]).toEqual(["12345", []]);
    await close();
    await cache.discard(path);
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    const [own = ""] = await names("staged");
    expect(await names(`staged/${own}`)).toEqual([]);
  });

  it("discards a file that is staged only", async () => {
    const { cache, root } = await newCache();
    const local = await cache.stage(`${root}/table/a`);
    await writeFile(local, "1");
    await cache.discard(`${root}/table/a`);
    await expect(stat(local)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(cache.publish(`${root}/table/a`)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

it("serves several processes that need more than fits", async () => {
  const { folder, put, root, names } = await newCache();
  const files = await Promise.all([...Array(6).keys()].map((index) => put(`${index}`, 50_000 + index)));
  const program = await buildProgram(
    root,
    `import { readFile } from "node:fs/promises";
     import { cachedDataFiles } from "../store/file-cache.js";
     import { localStore } from "../store/local-store.js";
     const [, , folder, ...given] = process.argv;
     const files = given.map((path, index) => ({ path, size: 50_000 + index }));
     const cache = cachedDataFiles({ ...localStore, upload: async () => {} }, { folder, maxBytes: 120_000 });
     let wrong = 0;
     for (let turn = 0; turn < 25; turn++) {
       const wanted = files.filter((_, index) => (turn + index + process.pid) % 3 !== 0);
       const { paths, close } = await cache.open(wanted);
       for (const [index, path] of paths.entries()) {
         if (Buffer.compare(await readFile(path), await readFile(wanted[index]!.path)) !== 0) wrong++;
       }
       await close();
     }
     console.log(wrong);`,
  );
  const args = [program, folder, ...files.map(({ path }) => path)];
  expect(await Promise.all([1, 2, 3].map(() => runCommand(process.execPath, args)))).toEqual(["0\n", "0\n", "0\n"]);
  expect(await names("open")).toEqual([]);
  expect((await names("copies")).length).toBeLessThanOrEqual(2);
});

/** Times of files in their order, on any file system. */
async function tick(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 15));
}
