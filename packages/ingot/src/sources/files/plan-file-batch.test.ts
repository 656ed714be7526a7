import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { columns, csvRead } from "../../graph/test-builders.js";
import type { SeenFile } from "../../model/batch.js";
import { SeenFiles } from "../../plan/seen-files.js";
import { LandingFiles } from "./landing-files.js";
import { planFileBatch } from "./plan-file-batch.js";
import { verifyBatchFile } from "./verify-batch-file.js";

const CASES = "test/fixtures/cases";
const read = csvRead("in", { schema: columns("id int, qty int"), enforceSchema: true });
let root: string;
let seen: Map<string, SeenFile>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ingot-plan-"));
  seen = new Map();
});
afterEach(() => rmSync(root, { recursive: true }));

/** Plans and takes note of what is loaded, as a flow does. */
async function run(more: Partial<typeof read> = {}) {
  const first = seen.size === 0;
  const batch = await planFileBatch(
    new LandingFiles(root),
    { ...read, path: root, ...more },
    new SeenFiles([new Map(seen)]),
    {
      first,
    },
  );
  for (const file of [...batch.files, ...batch.passed]) seen.set(file.path, file);
  expect(JSON.parse(JSON.stringify(batch))).toEqual(batch);
  return batch;
}
const deliver = (from: string, name: string, seconds: number) => {
  copyFileSync(join(CASES, from), join(root, name));
  utimesSync(join(root, name), seconds, seconds);
};

describe("case V12: a file name delivered again", () => {
  it("loads once, holds and reports changes and copies", async () => {
    deliver("V12/input/1/orders.csv", "orders.csv", 1);
    const first = await run();
    expect(first).toMatchObject({ files: [{ path: join(root, "orders.csv"), records: 2 }], held: [] });

    deliver("V12/input/2/orders.csv", "orders.csv", 2);
    expect(await run()).toMatchObject({ files: [], held: [] });

    deliver("V12/input/3/orders.csv", "orders.csv", 3);
    const third = await run();
    expect(third).toMatchObject({ files: [], held: [{ path: join(root, "orders.csv"), reason: "changed" }] });
    // Both by sha256sum.
    expect(third.held[0]?.detail).toContain("b36dc17358506603eaa33f8eb6f0bdcaefbefadc354d43a2fadb1a7231c1b8af");
    expect(third.held[0]?.detail).toContain("38d227aaceeecdbc2744c167e942e7edf9df7fc91634d7dc4e38d48cc5c83ca7");

    deliver("V12/input/4/orders_copy.csv", "orders_copy.csv", 4);
    expect(await run()).toMatchObject({ files: [], held: [{ reason: "changed" }, { reason: "copy" }] });
  });

  it("reads a file that was only touched once, whatever runs follow", async () => {
    deliver("V12/input/1/orders.csv", "orders.csv", 1);
    await run();
    const hashes = new Map<string, string>();
    const plan = () =>
      planFileBatch(new LandingFiles(root, hashes), { ...read, path: root }, new SeenFiles([new Map(seen)]), {
        first: false,
      });
    deliver("V12/input/1/orders.csv", "orders.csv", 2);
    expect(await plan()).toMatchObject({ files: [], held: [] });
    // Other bytes of the same size and time would only be seen by reading.
    const path = join(root, "orders.csv");
    writeFileSync(path, readFileSync(path, "utf8").replace("10", "11"));
    utimesSync(path, 2, 2);
    expect(await plan()).toMatchObject({ files: [], held: [] });
    utimesSync(path, 3, 3);
    expect(await plan()).toMatchObject({ files: [], held: [{ reason: "changed" }] });
  });

  it("holds known content under a new name, and content that comes twice at once", async () => {
    deliver("V12/input/3/orders.csv", "orders.csv", 1);
    await run();
    deliver("V12/input/4/orders_copy.csv", "orders_copy.csv", 2);
    expect(await run()).toMatchObject({ files: [], held: [{ path: join(root, "orders_copy.csv"), reason: "copy" }] });

    deliver("V12/input/1/orders.csv", "x.csv", 3);
    deliver("V12/input/2/orders.csv", "y.csv", 3);
    const both = await run();
    expect(both.files.map((file) => file.path)).toEqual([join(root, "x.csv")]);
    expect(both.held.find((file) => file.path === join(root, "y.csv"))?.reason).toBe("copy");
  });
});

describe("case V22: a zero-byte file", () => {
  it("holds it, and loads it when it has grown", async () => {
    deliver("V22/input/ok.csv", "ok.csv", 1);
    deliver("V22/input/empty.csv", "empty.csv", 1);
    const first = await run();
    expect(first).toMatchObject({
      files: [{ path: join(root, "ok.csv"), records: 1 }],
      held: [{ path: join(root, "empty.csv"), reason: "empty", detail: expect.stringContaining("empty") }],
    });
    appendFileSync(join(root, "empty.csv"), "id\n7\n");
    expect(await run()).toMatchObject({ files: [{ path: join(root, "empty.csv"), records: 1 }], held: [] });
  });
});

it("loads files of a header alone, each of them", async () => {
  writeFileSync(join(root, "a.csv"), "id,qty\n");
  writeFileSync(join(root, "b.csv"), "id,qty\n");
  expect((await run()).files.map((file) => file.records)).toEqual([0, 0]);
});

it("holds a file that is not UTF-8 and loads the others", async () => {
  writeFileSync(join(root, "u.csv"), "id,qty\n1,2\n");
  writeFileSync(join(root, "w.csv"), Buffer.from("id,qty\n1,\xfc\n", "latin1"));
  const batch = await run();
  expect(batch.files.map((file) => file.path)).toEqual([join(root, "u.csv")]);
  expect(batch.held).toMatchObject([
    { reason: "bad-encoding", detail: expect.stringMatching(/line 2, column 3.*0xFC/) },
  ]);
});

it("takes as many files, and about as many bytes, as it may", async () => {
  for (const name of ["a", "b", "c"]) writeFileSync(join(root, `${name}.csv`), `id,qty\n${name},1\n`);
  expect(await run({ maxFilesPerTrigger: 2 })).toMatchObject({ files: [{}, {}], more: true });
  expect(await run({ maxFilesPerTrigger: 2 })).toMatchObject({ files: [{}], more: false });
  seen.clear();
  // Eleven bytes each: the second one goes beyond the limit, and is in.
  expect(await run({ maxBytesPerTrigger: 12 })).toMatchObject({ files: [{}, {}], more: true });
});

it("passes over what was there before it, and loads it when it is written again", async () => {
  writeFileSync(join(root, "a.csv"), "id,qty\n1,1\n");
  const more = { includeExistingFiles: false };
  expect(await run(more)).toMatchObject({ files: [], passed: [{ path: join(root, "a.csv") }] });
  writeFileSync(join(root, "b.csv"), "id,qty\n2,1\n");
  expect((await run(more)).files.map((file) => file.path)).toEqual([join(root, "b.csv")]);
  writeFileSync(join(root, "a.csv"), "id,qty\n1,1\n3,1\n");
  expect((await run(more)).files.map((file) => file.path)).toEqual([join(root, "a.csv")]);
});

it("leaves a file for the next run that is still written, and one that has gone where that is allowed", async () => {
  writeFileSync(join(root, "a.csv"), "id,qty\n1,1\n");
  writeFileSync(join(root, "b.csv"), "id,qty\n2,1\n");
  const landing = new LandingFiles(root);
  const all = { ...read, path: root, ignoreMissingFiles: true };
  landing.list(all, { stream: true });
  appendFileSync(join(root, "a.csv"), "3,1\n");
  rmSync(join(root, "b.csv"));
  const batch = await planFileBatch(landing, all, new SeenFiles([new Map(seen)]), { first: true });
  expect(batch).toMatchObject({ files: [], held: [{ reason: "unfinished" }, { reason: "missing" }] });
});

it("stops at an empty file where that is asked for", async () => {
  writeFileSync(join(root, "a.csv"), "");
  await expect(run({ onEmpty: "fail" })).rejects.toMatchObject({ code: "FILE_EMPTY", object: join(root, "a.csv") });
});

describe("verifyBatchFile", () => {
  it("passes what the manifest recorded, and nothing else", async () => {
    deliver("V12/input/1/orders.csv", "orders.csv", 1);
    const [file] = (await run()).files;
    if (file === undefined) throw new Error("a file was delivered");
    await verifyBatchFile(file);
    const content = readFileSync(file.path, "utf8");
    for (const other of [`${content}4,5\n`, content.replace("10", "11")]) {
      writeFileSync(file.path, other);
      await expect(verifyBatchFile(file)).rejects.toMatchObject({ code: "FILE_CHANGED" });
    }
    rmSync(file.path);
    await expect(verifyBatchFile(file)).rejects.toMatchObject({ code: "FILE_CHANGED" });
  });
});
