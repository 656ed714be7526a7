import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { removeProjects, writeProject } from "../../define/project-fixture.js";
import { csvRead } from "../../graph/test-builders.js";
import { inspectFile } from "./inspect-file.js";
import { verifyReadFile } from "./verify-read-file.js";

afterAll(removeProjects);

async function recorded(text: string) {
  const path = join(writeProject({ "a.csv": text }), "a.csv");
  return inspectFile(path, csvRead("a.csv"));
}

it("takes a file as recorded, also one that was copied back", async () => {
  const file = await recorded("a\n1\n");
  await verifyReadFile(file);
  utimesSync(file.path, 1, 1);
  await verifyReadFile(file);
});

it("refuses another content of the same size, another size, and none", async () => {
  const file = await recorded("a\n1\n");
  const refused = { code: "FILE_CHANGED", object: file.path };
  writeFileSync(file.path, "a\n2\n");
  utimesSync(file.path, 1, 1);
  await expect(verifyReadFile(file)).rejects.toMatchObject(refused);
  writeFileSync(file.path, "a\n1\n2\n");
  await expect(verifyReadFile(file)).rejects.toMatchObject(refused);
  rmSync(file.path);
  await expect(verifyReadFile(file)).rejects.toMatchObject(refused);
});
