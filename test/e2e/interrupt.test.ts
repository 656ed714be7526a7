import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { startIngot } from "./child.js";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const ROWS = 6000;

/** Three tables in a row; how long the one in the middle takes is set by `pairs`. */
const FILES = {
  "ingot.yml": `name: test
storage: storage
configuration: {pairs: "10"}
libraries: [{glob: {include: transformations/**}}]
`,
  "landing/1.csv": `id,v\n${Array.from({ length: ROWS }, (_, i) => `${i},${"x".repeat(40)}${i}\n`).join("")}`,
  "transformations/all.sql": `CREATE STREAMING TABLE first AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW slow AS SELECT count(*) AS n FROM first x CROSS JOIN first y
WHERE x.id < \${pairs} AND length(concat(x.v, y.v)) > 3;
CREATE MATERIALIZED VIEW last AS SELECT n FROM slow;`,
};

/** The last event of each run in the event log, oldest run first. */
function lastEvents(folder: string): RunEvent[] {
  const log = `${folder}/storage/_events`;
  const lines = readdirSync(log)
    .sort()
    .map((file) => readFileSync(`${log}/${file}`, "utf8").trim().split("\n").at(-1));
  return lines.map((line) => JSON.parse(line ?? "") as RunEvent);
}

describe("a run that is stopped on its way", () => {
  let folder = "";
  beforeEach(() => {
    folder = project(FILES);
  });

  /** The next run ends what was begun: every row is there once. */
  async function completes(): Promise<readonly RunEvent[]> {
    const { code, events: told } = await events(folder);
    expect(code).toBe(0);
    expect(await rows(folder, "SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM first")).toEqual([
      { rows: String(ROWS), ids: String(ROWS) },
    ]);
    expect(await rows(folder, "SELECT n FROM last")).toEqual([{ n: String(10 * ROWS) }]);
    expect(existsSync(`${folder}/storage/_lock`)).toBe(false);
    return told;
  }

  it("by Ctrl-C: what is committing ends, nothing new begins, exit code 130", async () => {
    const run = startIngot(["run", "--set", "pairs=1500"], folder);
    await run.says("default.slow is RUNNING.");
    run.kill("SIGINT");
    const { code, stdout, stderr } = await run.done;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Flow spark_catalog\.default\.slow has COMPLETED\./);
    expect(stderr).toMatch(/Flow 'spark_catalog\.default\.last' has STOPPED\./);
    expect(stdout).toMatch(/slow +COMPLETED .*\n *last +STOPPED/);
    expect(lastEvents(folder)).toMatchObject([{ details: { run_progress: { state: "CANCELED" } } }]);
    expect(existsSync(`${folder}/storage/_lock`)).toBe(false);
    await completes();
  });

  it("by Ctrl-C twice, at once; until then another run is refused and readers are not", async () => {
    const run = startIngot(["run", "--set", `pairs=${ROWS}`], folder);
    await run.says("default.slow is RUNNING.");

    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(7);
    expect(errors).toMatchObject([{ code: "RUN_LOCKED", hint: expect.stringContaining("Wait for it") }]);
    expect(errors[0]?.message).toMatch(/process \d+ on /);
    expect(lastEvents(folder).at(-1)).toMatchObject({
      details: { run_progress: { state: "FAILED" } },
      error: { code: "RUN_LOCKED" },
    });
    expect(await rows(folder, "SELECT count(*) AS n FROM first")).toEqual([{ n: String(ROWS) }]);
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/slow +recompute +first run/);

    run.kill("SIGINT");
    await run.says("Once more stops at once.");
    run.kill("SIGINT");
    const stopped = await run.done;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/Flow 'spark_catalog\.default\.slow' has STOPPED\./);
    expect(lastEvents(folder)[0]).toMatchObject({ details: { run_progress: { state: "CANCELED" } } });
    expect(filesBelow(`${folder}/storage/warehouse/default/slow`)).toEqual([]);
    await completes();
  });

  it("by kill -9: the next run takes over the lock, and says so", async () => {
    const run = startIngot(["run", "--set", `pairs=${ROWS}`], folder);
    await run.says("default.slow is RUNNING.");
    run.kill("SIGKILL");
    expect((await run.done).signal).toBe("SIGKILL");
    expect(existsSync(`${folder}/storage/_lock`)).toBe(true);
    const notice = (await completes()).find((event) => event.event_type === "notice");
    expect(notice).toMatchObject({ level: "WARN" });
    expect(notice?.message).toMatch(/^Took over the lock of run .* which is gone\.$/);
  });
});
