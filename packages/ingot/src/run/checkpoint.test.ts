import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { batchFile, manifest, queryFlow, rejected } from "../graph/test-builders.js";
import {
  type Checkpoint,
  compactCheckpoint,
  isCompactingDue,
  readCheckpoint,
  startGeneration,
  writeManifest,
} from "./checkpoint.js";

const flow = queryFlow("Bronze.Orders", "SELECT 1", { name: "From_Files" });
/** Folder of the spec; what lies elsewhere is stored by its whole path. */
const ROOT = "/elsewhere";
const FOLDER = "_checkpoints/spark_catalog/bronze/orders/from_files";
const first = manifest(0, { "stream files landing": { kind: "files", files: [batchFile("a.csv")] } });

async function started(storage: string): Promise<Checkpoint> {
  return startGeneration(storage, flow, undefined, first, `${storage}/warehouse/t`, ROOT);
}

describe("a checkpoint", () => {
  it("lies at <storage>/_checkpoints/<catalog>/<schema>/<table>/<flow>/<n>/", async () => {
    const storage = writeProject({});
    await writeManifest(await started(storage), manifest(1, {}), ROOT);
    const folder = join(storage, FOLDER);
    expect(readdirSync(folder)).toEqual(["0"]);
    expect(readdirSync(join(folder, "0")).sort()).toEqual(["batch-0.json", "batch-1.json", "metadata.json"]);
    expect(JSON.parse(readFileSync(join(folder, "0/batch-0.json"), "utf8"))).toEqual(first);
    expect(Object.keys(JSON.parse(readFileSync(join(folder, "0/metadata.json"), "utf8")))).toEqual(["id", "table"]);
  });

  it("is read as it was written, whatever the case of the names", async () => {
    const storage = writeProject({});
    expect(await readCheckpoint(storage, flow, ROOT)).toBeUndefined();
    const written = await writeManifest(await started(storage), manifest(1, {}), ROOT);
    expect(await readCheckpoint(storage, flow, ROOT)).toEqual(written);
    expect(await readCheckpoint(storage, queryFlow("bronze.ORDERS", "SELECT 1", { name: "FROM_files" }), ROOT)).toEqual(
      written,
    );
    expect(written.appId).toMatch(/^ingot\/from_files\/[0-9a-f-]{36}$/);
  });

  it("is read without the manifests that were compacted, and with them where that file is damaged or lost", async () => {
    const storage = writeProject({});
    const files = ["b.csv", "c\n.csv"].map((name) => batchFile(name));
    const second = manifest(1, {
      "stream files landing": { kind: "files", files, passed: [{ path: "/old", size: 1, mtimeMs: 2 }] },
    });
    const two = await writeManifest(await started(storage), second, ROOT);
    await compactCheckpoint(two, ROOT);
    // The last manifest is read whatever is compacted.
    expect((await readCheckpoint(storage, flow, ROOT))?.manifests).toHaveLength(2);
    await writeManifest(two, manifest(2, {}), ROOT);
    const read = await readCheckpoint(storage, flow, ROOT);
    expect(read?.manifests.map(({ batch }) => batch)).toEqual([2]);
    const seen = read?.compacted?.sources["stream files landing"]?.files ?? new Map();
    expect([...seen.keys()].sort()).toEqual(["/old", "/p/landing/a.csv", "/p/landing/b.csv", "/p/landing/c\n.csv"]);
    expect(seen.get("/old")).toEqual({ size: 1, mtimeMs: 2 });
    const path = join(storage, FOLDER, "0/compacted.txt");
    for (const text of [
      "",
      "{}",
      readFileSync(path, "utf8")
        .slice(0, -1)
        .replace(/\0[^\0]*$/, ""),
    ]) {
      writeFileSync(path, text);
      expect(await readCheckpoint(storage, flow, ROOT)).toMatchObject({ manifests: [{}, {}, {}] });
    }
  });

  it("is compacted where many files or manifests stand behind what was", () => {
    const many = (n: number) =>
      manifest(0, { k: { kind: "files", files: Array.from({ length: n }, () => batchFile("a")) } });
    const due = (manifests: Checkpoint["manifests"], before = 0) => {
      const files = new Map(Array.from({ length: before }, (_, i) => [`${i}`, batchFile("a")]));
      const compacted = { upTo: 0, sources: { k: { position: { kind: "files", files: [] }, files } } } as const;
      return isCompactingDue({ folder: "", generation: 0, appId: "", manifests, compacted });
    };
    expect([due([many(999)]), due([many(1000)]), due([many(1000)], 5000), due([many(1250)], 5000)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(due(Array.from({ length: 100 }, () => many(1)))).toBe(true);
  });

  it("begins a new generation with another id, and keeps the old one", async () => {
    const storage = writeProject({});
    const old = await started(storage);
    const next = await startGeneration(
      storage,
      flow,
      old,
      manifest(0, {}, { mode: "reset" }),
      `${storage}/warehouse/t`,
      ROOT,
    );
    expect(next).toMatchObject({ generation: 1, manifests: [{ mode: "reset" }] });
    expect(next.appId).not.toBe(old.appId);
    expect(await readCheckpoint(storage, flow, ROOT)).toEqual(next);
    expect(readdirSync(join(storage, FOLDER)).sort()).toEqual(["0", "1"]);
  });

  it("passes by a generation that was never finished", async () => {
    const storage = writeProject({});
    const written = await started(storage);
    mkdirSync(join(storage, FOLDER, ".5b1c0000-0000-4000-8000-000000000000"));
    writeFileSync(join(written.folder, "batch-1.json.5b1c.tmp"), "{");
    expect(await readCheckpoint(storage, flow, ROOT)).toEqual(written);
  });

  it("never writes over a batch: it is a fact", async () => {
    const written = await started(writeProject({}));
    const error = await rejected(writeManifest(written, manifest(0, {}), ROOT));
    expect(error).toMatchObject({ code: "CHECKPOINT_DAMAGED", object: join(written.folder, "batch-0.json") });
    expect(readdirSync(written.folder).sort()).toEqual(["batch-0.json", "metadata.json"]);
  });

  it.each([
    ["..", "a/b"],
    [".hidden", "Ünï çødé"],
    ["100%", "*?<>|"],
  ])("keeps the table %s and the flow %s inside its folder", async (table, name) => {
    const storage = writeProject({});
    const odd = { ...flow, name, target: { ...flow.target, table } };
    const written = await startGeneration(storage, odd, undefined, first, `${storage}/warehouse/t`, ROOT);
    expect(written.folder.slice(storage.length).split("/")).toHaveLength(FOLDER.split("/").length + 2);
    expect(await readCheckpoint(storage, odd, ROOT)).toEqual(written);
  });

  it.each<[string, (folder: string) => void, string]>([
    ["cut short", (f) => writeFileSync(join(f, "batch-0.json"), '{"format":1,'), "batch-0.json"],
    ["empty", (f) => writeFileSync(join(f, "batch-0.json"), ""), "batch-0.json"],
    ["no object", (f) => writeFileSync(join(f, "batch-0.json"), "null"), "batch-0.json"],
    ["without inputs", (f) => writeFileSync(join(f, "batch-0.json"), '{"format":1,"batch":0}'), "batch-0.json"],
    ["of another format", (f) => writeFileSync(join(f, "batch-0.json"), '{"format":2}'), "batch-0.json"],
    ["of another batch", (f) => writeFileSync(join(f, "batch-1.json"), JSON.stringify(first)), "batch-1.json"],
    ["behind a gap", (f) => writeFileSync(join(f, "batch-2.json"), JSON.stringify(manifest(2, {}))), "batch-2.json"],
    [
      "without its first batch",
      (f) => {
        writeFileSync(join(f, "batch-1.json"), JSON.stringify(manifest(1, {})));
        rmSync(join(f, "batch-0.json"));
      },
      "batch-1.json",
    ],
    ["without an id", (f) => rmSync(join(f, "metadata.json")), "metadata.json"],
    ["with a broken id", (f) => writeFileSync(join(f, "metadata.json"), '{"id":7}'), "metadata.json"],
  ])("is refused when it is %s, with the file", async (_, damage, file) => {
    const storage = writeProject({});
    const { folder } = await started(storage);
    damage(folder);
    const error = await rejected(readCheckpoint(storage, flow, ROOT));
    expect(error).toMatchObject({ code: "CHECKPOINT_DAMAGED", object: join(folder, file) });
    expect(error.hint).toContain("--full-refresh");
    expect(existsSync(join(folder, file.replace("metadata", "batch-0")))).toBeTypeOf("boolean");
  });
});
