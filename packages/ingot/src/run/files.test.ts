import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { GraphNode } from "../graph/graph.js";
import { columns, csvRead, dataset, graphFlow, graphNode, PLACES, queryFlow } from "../graph/test-builders.js";
import { IngotError } from "../model/error.js";
import { TestEngine, testRun } from "./test-engine.js";

// A streaming table over a folder of real files.

function project(preservesRows = true) {
  const root = writeProject({ "landing/1.csv": "a\n1\n2\n" });
  const read = csvRead("landing", { schema: columns("a int, bad string"), corruptRecordColumn: "bad" });
  const input = { kind: "files", stream: true, read, columns: read.schema } as const;
  const flow = graphFlow(queryFlow("t"), { r0: input }, { preservesRows, schema: columns("a int, BAD string") });
  const node: GraphNode = graphNode(dataset("t"), [flow]);
  const engine = new TestEngine();
  const places = { ...PLACES, root, storage: join(root, "state") };
  return {
    engine,
    write: (name: string, text: string) => writeFileSync(join(root, "landing", name), text),
    remove: (name: string) => rmSync(join(root, "landing", name)),
    run: () => testRun(engine, places.storage, [node], { places }),
    rows: () => engine.rows("/p/tables/t").map((path) => path.slice(root.length + 1)),
  };
}

describe("a streaming table over files", () => {
  it("reads each file once, and tells files and records", async () => {
    const { engine, write, run, rows } = project();
    await run();
    write("2.csv", "a\n3\n");
    const { events } = await run();
    expect(rows()).toEqual(["landing/1.csv", "landing/2.csv"]);
    const progress = events
      .map((e) => e.details)
      .find((d) => "flow_progress" in d && d.flow_progress.metrics !== undefined);
    expect(progress).toMatchObject({
      flow_progress: {
        status: "COMPLETED",
        reason: "1 new file, 1 record",
        metrics: { num_input_files: 1, num_input_records: 1, num_output_rows: 1, table_version: 1, duration_ms: 0 },
      },
    });
    // The engine must give back what was counted apart from it.
    expect(engine.writes.map((w) => w.parts[0]?.expectedRows)).toEqual([2, 1]);
    expect(engine.writes[0]?.parts[0]?.corruptRecordColumn).toBe("BAD");
  });

  it("expects no count where the query filters", async () => {
    const { engine, run } = project(false);
    await run();
    expect(engine.writes[0]?.parts[0]).not.toHaveProperty("expectedRows");
  });

  it("holds a changed file back, and tells it in every run", async () => {
    const { write, run, rows } = project();
    await run();
    write("1.csv", "a\n1\n2\n3\n");
    for (let i = 0; i < 2; i++) {
      const { events } = await run();
      expect(events.filter((e) => e.event_type === "notice")).toMatchObject([
        { level: "WARN", message: expect.stringMatching(/1\.csv is held back: The content changed/) },
      ]);
    }
    expect(rows()).toEqual(["landing/1.csv"]);
  });

  it("refuses to finish a batch whose file has changed since it was planned", async () => {
    const { engine, write, run, rows } = project();
    engine.onWrite = async () => {
      throw new IngotError("STORAGE_FAILED", "disk full");
    };
    await run();
    engine.onWrite = async () => undefined;
    write("1.csv", "a\n1\n9\n");
    expect((await run()).summary.error).toMatchObject({ code: "FILE_CHANGED" });
    write("1.csv", "a\n1\n2\n");
    expect((await run()).summary.state).toBe("COMPLETED");
    expect(rows()).toEqual(["landing/1.csv"]);
  });

  it("keeps rows whose file was taken away later", async () => {
    const { remove, write, run, rows } = project();
    await run();
    remove("1.csv");
    write("2.csv", "a\n3\n");
    await run();
    expect(rows()).toEqual(["landing/1.csv", "landing/2.csv"]);
  });
});

it("a materialized view counts its files again when the options of the read change", async () => {
  const root = writeProject({ "landing/1.csv": "a\n1\n2\n" });
  const places = { ...PLACES, root, storage: join(root, "state") };
  const engine = new TestEngine();
  for (const header of [true, false]) {
    const read = csvRead("landing", { header });
    const flow = graphFlow(
      queryFlow("m"),
      { r0: { kind: "files", stream: false, read, columns: read.schema } },
      { preservesRows: true },
    );
    await testRun(engine, places.storage, [graphNode(dataset("m", "materialized-view"), [flow])], { places });
  }
  expect(engine.writes.map((w) => w.parts[0]?.expectedRows)).toEqual([2, 3]);
});
