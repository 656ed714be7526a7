import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Store } from "../store/store.js";

/** A store, and a folder of it that is the test's own and empty. */
export interface StoreUnderTest {
  readonly store: Store;
  readonly root: string;
}

export interface ContractOptions {
  /** How many files make a listing of several pages here. */
  readonly manyFiles: number;
}

/** What the log's files, partition folders and users' column names lead to. */
const NAMES = [
  "a b",
  "a+b",
  "100%",
  "a%20b",
  "p=x:y",
  "ä-日本-😀",
  "q?r#s&t",
  "'single' \"double\"",
  "(1)!*~;,@$[]{}^`|",
  "..hidden",
  "_x",
];

/** What `Store` promises; every implementation passes it. */
export function describeStore(title: string, open: () => Promise<StoreUnderTest>, options: ContractOptions): void {
  describe(`${title} keeps the contract of a store`, () => {
    it("lists what was put, files apart from folders, with their size and time", async () => {
      const { store, root } = await open();
      const before = Date.now();
      await store.put(`${root}/t/_delta_log/0.json`, "ä");
      await store.putIfAbsent(`${root}/t/part.parquet`, new Uint8Array(5));
      await store.put(`${root}/tt/other`, "x");
      expect(inOrder(await store.list(`${root}/t`))).toEqual([
        { name: "_delta_log", kind: "folder", size: 0, modified: expect.any(Number) },
        { name: "part.parquet", kind: "file", size: 5, modified: expect.any(Number) },
      ]);
      const [file] = await store.list(`${root}/t/_delta_log/`);
      expect(file).toMatchObject({ name: "0.json", kind: "file", size: 2 });
      // Some services keep whole seconds, and clocks differ a little.
      expect(Math.abs((file?.modified ?? 0) - before)).toBeLessThan(60_000);
    });

    it("lists nothing where nothing is", async () => {
      const { store, root } = await open();
      expect(await store.list(`${root}/absent`)).toEqual([]);
    });

    it("lists every page", async () => {
      const { store, root } = await open();
      const names = Array.from({ length: options.manyFiles }, (_, index) => `${index}`.padStart(20, "0"));
      await inBatches(names, (name) => store.put(`${root}/log/${name}.json`, name));
      await store.put(`${root}/log/zz/x`, "");
      const found = inOrder(await store.list(`${root}/log`));
      expect(found.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
        ...names.map((name) => `file ${name}.json`),
        "folder zz",
      ]);
    });

    it("leaves no entry out that stands behind a name", async () => {
      const { store, root } = await open();
      const names = ["1", "1.json", "10.json", "2", "2.json", "20.json", "ä.json", "\u{ff5e}.json", "😀.json"];
      for (const name of names) await store.put(`${root}/log/${name}`, "");
      await store.put(`${root}/log/a/x`, "");
      for (const [after, count] of [
        ["1", 9],
        ["2", 6],
        ["2.json", 5],
        ["\u{ff5e}.json", 1],
      ] as const) {
        const listed = (await store.list(`${root}/log`, after)).map(({ name }) => name);
        const behind = [...names, "a"].filter((name) => Buffer.from(name).compare(Buffer.from(after)) > 0);
        expect(behind).toHaveLength(count);
        expect(listed).toEqual(expect.arrayContaining(behind));
      }
    });

    it("takes names of every kind as they are", async () => {
      const { store, root } = await open();
      for (const name of NAMES) {
        expect(await store.putIfAbsent(`${root}/${name}/${name}.json`, name)).toBe(true);
        expect(await store.putIfAbsent(`${root}/${name}/${name}.json`, "again")).toBe(false);
      }
      expect((await store.list(root)).map(({ name }) => name).sort()).toEqual([...NAMES].sort());
      for (const name of NAMES) {
        expect(await store.list(`${root}/${name}`)).toMatchObject([{ name: `${name}.json`, kind: "file" }]);
        expect(text(await store.read(`${root}/${name}/${name}.json`))).toBe(name);
        await store.delete(`${root}/${name}/${name}.json`);
        expect(await isThere(store, `${root}/${name}/${name}.json`)).toBe(false);
      }
    });

    it("reads ranges at every edge", async () => {
      const { store, root } = await open();
      const path = `${root}/digits`;
      await store.put(path, "0123456789");
      const cases: readonly [number, number | undefined, string][] = [
        [0, undefined, "0123456789"],
        [0, 10, "0123456789"],
        [0, 1, "0"],
        [3, 4, "3456"],
        [9, 1, "9"],
        [9, 5, "9"],
        [9, undefined, "9"],
        [10, undefined, ""],
        [10, 3, ""],
        [25, 3, ""],
        [4, 0, ""],
        [-1, undefined, "9"],
        [-4, undefined, "6789"],
        [-4, 2, "67"],
        [-4, 9, "6789"],
        [-10, 1, "0"],
        [-25, undefined, "0123456789"],
        [-25, 3, "012"],
      ];
      for (const [offset, length, expected] of cases) {
        const range = length === undefined ? { offset } : { offset, length };
        expect([range, text(await store.read(path, range))]).toEqual([range, expected]);
      }
    });

    it("reads an empty file", async () => {
      const { store, root } = await open();
      await store.put(`${root}/empty`, "");
      for (const range of [undefined, { offset: 0 }, { offset: 0, length: 4 }, { offset: -4 }, { offset: 7 }]) {
        expect((await store.read(`${root}/empty`, range)).length).toBe(0);
      }
    });

    it("rejects the reading of an absent file with ENOENT", async () => {
      const { store, root } = await open();
      for (const range of [undefined, { offset: 0, length: 0 }, { offset: 2, length: 4 }, { offset: -4 }]) {
        await expect(store.read(`${root}/absent`, range)).rejects.toMatchObject({ code: "ENOENT" });
      }
    });

    it("lets exactly one of many creators win, and shows its content", async () => {
      const { store, root } = await open();
      const contents = Array.from({ length: 16 }, (_, index) => `writer ${index}`);
      const won = await Promise.all(contents.map((content) => store.putIfAbsent(`${root}/7.json`, content)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(text(await store.read(`${root}/7.json`))).toBe(contents[won.indexOf(true)]);
      expect((await store.list(root)).map(({ name }) => name)).toEqual(["7.json"]);
    });

    it("replaces by put, and creates again after a delete", async () => {
      const { store, root } = await open();
      const path = `${root}/_last_checkpoint`;
      await store.put(path, "a long first text");
      await store.put(path, "second");
      expect(text(await store.read(path))).toBe("second");
      expect(await store.putIfAbsent(path, "third")).toBe(false);
      await store.delete(path);
      expect(await store.putIfAbsent(path, "fourth")).toBe(true);
      expect(text(await store.read(path))).toBe("fourth");
    });

    it("never shows a mixture, nor a part", async () => {
      const { store, root } = await open();
      const path = `${root}/file`;
      const contents = ["a", "b"].map((letter) => letter.repeat(300_000));
      await store.put(path, contents[0] ?? "");
      let writing = true;
      const writes = inBatches([...Array(12).keys()], (turn) => store.put(path, contents[turn % 2] ?? ""), 2);
      const ended = writes.finally(() => {
        writing = false;
      });
      while (writing) expect(contents.includes(text(await store.read(path)))).toBe(true);
      await ended;
    });

    it("keeps a large file to the byte", async () => {
      const { store, root } = await open();
      const content = randomBytes(20_000_003);
      expect(await store.putIfAbsent(`${root}/large`, content)).toBe(true);
      expect(Buffer.compare(await store.read(`${root}/large`), content)).toBe(0);
      const middle = await store.read(`${root}/large`, { offset: 9_999_999, length: 1_000_001 });
      expect(Buffer.compare(middle, content.subarray(9_999_999, 11_000_000))).toBe(0);
    });

    it("deletes a file only, and what is not there without an error", async () => {
      const { store, root } = await open();
      await store.put(`${root}/a/b`, "x");
      await store.put(`${root}/a/bc`, "x");
      await store.delete(`${root}/a/b`);
      await store.delete(`${root}/a/b`);
      await store.delete(`${root}/nowhere/b`);
      expect(await isThere(store, `${root}/a/b`)).toBe(false);
      expect(await store.list(`${root}/a`)).toMatchObject([{ name: "bc" }]);
    });
  });
}

function text(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

function inOrder<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function isThere(store: Store, path: string): Promise<boolean> {
  try {
    await store.read(path);
    return true;
  } catch {
    return false;
  }
}

async function inBatches<T>(items: readonly T[], act: (item: T) => Promise<unknown>, size = 32): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(act));
  }
}
