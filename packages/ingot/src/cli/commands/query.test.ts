import { readdirSync } from "node:fs";
import { afterAll, expect, it, vi } from "vitest";
import { removeProjects, writeProject } from "../../define/project-fixture.js";
import { testIo } from "../test-io.js";
import { query } from "./query.js";

afterAll(removeProjects);

it.each([
  ["answers", "SELECT 1 AS x", '"x":1'],
  ["fails", "SELECT 1 / 0 AS x", undefined],
])("leaves nothing in the folder for temporary files, outside a project, when it %s", async (_, text, answer) => {
  const [temporary, cwd] = [writeProject({}), writeProject({})];
  vi.stubEnv("TMPDIR", temporary);
  try {
    const io = testIo({ cwd });
    const done = query(text, { json: true }, io);
    if (answer === undefined) await expect(done).rejects.toMatchObject({ code: "DIVIDE_BY_ZERO" });
    else expect(await done.then(io.out)).toContain(answer);
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
