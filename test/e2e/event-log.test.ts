import { appendFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { events, ingot, LANDING, projectMaker, rows } from "./cli.js";

const project = projectMaker();
const shop = () =>
  project({
    "transformations/all.sql": `CREATE STREAMING TABLE b (CONSTRAINT big EXPECT (id > 1)) AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW c (CONSTRAINT odd EXPECT (id % 2 = 1) ON VIOLATION DROP ROW) AS SELECT id FROM b;`,
    "landing/1.csv": "id,v\n1,x\n2,y\n3,z\n",
  });

describe("the table event_log", () => {
  it("holds every event of every run once, in Lakeflow's columns", async () => {
    const folder = shop();
    const first = await events(folder);
    const second = await events(folder);
    const told = [...first.events, ...second.events];
    const kept = await rows(
      folder,
      "SELECT id, timestamp, message, level, event_type, get_json_object(origin, '$.run_id') AS run, get_json_object(sequence, '$.data_plane_id.seq_no') AS seq FROM event_log ORDER BY timestamp, run, CAST(seq AS INT)",
    );
    expect(kept.map((row) => row["id"]).sort()).toEqual(told.map((event) => event.id).sort());
    expect(new Set(kept.map((row) => row["event_type"]))).toEqual(
      new Set(["create_run", "flow_progress", "run_progress"]),
    );
  });

  it("answers the query that everybody uses", async () => {
    const folder = shop();
    await events(folder);
    const answer = await rows(
      folder,
      `SELECT e.name, e.dataset, sum(e.passed_records) AS passed, sum(e.failed_records) AS failed
       FROM (SELECT explode(from_json(details:flow_progress.data_quality.expectations,
               'array<struct<name:string,dataset:string,passed_records:bigint,failed_records:bigint>>')) e
             FROM event_log WHERE event_type = 'flow_progress')
       GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(answer).toEqual([
      { name: "big", dataset: "spark_catalog.default.b", passed: "2", failed: "1" },
      { name: "odd", dataset: "spark_catalog.default.c", passed: "2", failed: "1" },
    ]);
  });

  it("takes the events of a run that died, up to the line that it did not end", async () => {
    const folder = shop();
    await events(folder);
    const [file = ""] = readdirSync(`${folder}/storage/_events`);
    const line = JSON.stringify({
      id: "left",
      sequence: 0,
      timestamp: "2099-01-01T00:00:00.000Z",
      level: "INFO",
      event_type: "notice",
      message: "m",
      origin: { pipeline_name: "test", run_id: "dead" },
      details: { notice: {} },
    });
    appendFileSync(
      `${folder}/storage/_events/${file.replace(/^\d{4}/, "2098").replace(/Z-.*/, "Z-dead.ndjson")}`,
      `${line}\n{"id":"torn`,
    );
    await events(folder);
    expect(await rows(folder, "SELECT count(*) AS n FROM event_log WHERE id = 'left'")).toEqual([{ n: "1" }]);
  });

  it("is left to a project that declares a table of that name, and says so", async () => {
    const folder = project({ "transformations/all.sql": "CREATE MATERIALIZED VIEW event_log AS SELECT 1 AS a;" });
    const { code, stderr } = await ingot(["run"], { cwd: folder });
    expect(code).toBe(0);
    expect(stderr).toContain("WARN: the events of the run are not in spark_catalog.default.event_log");
    expect(await rows(folder, "SELECT a FROM event_log")).toEqual([{ a: 1 }]);
  });
});

describe("ingot events", () => {
  const messages = async (folder: string, ...args: string[]) => {
    const { stdout } = await ingot(["events", "--json", ...args], { cwd: folder });
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).message as string]));
  };

  it("tells the newest run, one run, one dataset, what is bad, or all", async () => {
    const folder = shop();
    const first = await events(folder);
    const second = await events(folder);
    expect(await messages(folder)).toEqual(second.events.map((event) => event.message));
    const id = first.events[0]?.origin.run_id ?? "";
    expect(await messages(folder, "--run", id.slice(0, 8))).toEqual(first.events.map((event) => event.message));
    expect(await messages(folder, "--dataset", "c")).toContain("Flow spark_catalog.default.c has COMPLETED.");
    expect(await messages(folder, "--dataset", "c")).not.toContain("Flow spark_catalog.default.b has COMPLETED.");
    expect(await messages(folder, "--level", "WARN", "--all")).toEqual([]);
    expect(await messages(folder, "--all")).toHaveLength(first.events.length + second.events.length);
    const { stdout } = await ingot(["events"], { cwd: folder });
    expect(stdout).toContain("Run is COMPLETED.");
  });

  it("follows a run that comes, until it is stopped", async () => {
    const folder = shop();
    let stdout = "";
    let interrupt = (): void => {};
    const heard = new Promise<void>((resolve) => {
      const stream = {
        isTTY: false,
        columns: 120,
        write(text: string) {
          stdout += text;
          if (stdout.includes("Run is COMPLETED.")) resolve();
        },
      };
      const onInterrupt = (listener: () => void) => {
        interrupt = listener;
        return () => {};
      };
      void ingot(["events", "--follow"], { cwd: folder, stdout: stream, onInterrupt }).then(() => resolve());
    });
    await events(folder);
    await heard;
    interrupt();
    expect(stdout).toContain("Flow spark_catalog.default.b has COMPLETED.");
  });
});
