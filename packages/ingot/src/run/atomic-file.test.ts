import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { removeProjects, writeProject } from "../define/project-fixture.js";
import { watchSyncs } from "../engine/test-syncs.js";
import { createFile, replaceFile } from "./atomic-file.js";

afterAll(removeProjects);

describe.each([
  ["createFile", createFile],
  ["replaceFile", replaceFile],
])("%s", (_name, write) => {
  it("syncs the file and each folder that got a new name, and no other", async () => {
    const root = writeProject({ "old/x": "" });
    const wasSynced = await watchSyncs();
    await write(join(root, "old/a/b/file"), "text");
    const synced = ["", "old", "old/a", "old/a/b", "old/a/b/file"].filter((path) => wasSynced(join(root, path)));
    expect(synced).toEqual(["old", "old/a", "old/a/b", "old/a/b/file"]);
    expect(readdirSync(join(root, "old/a/b"))).toEqual(["file"]);
  });
});

it("createFile never writes over a file, replaceFile does", async () => {
  const path = join(writeProject({ file: "first" }), "file");
  expect(await createFile(path, "second")).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("first");
  await replaceFile(path, "third");
  expect(readFileSync(path, "utf8")).toBe("third");
});
