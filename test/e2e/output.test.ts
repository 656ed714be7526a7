import { beforeAll, describe, expect, it } from "vitest";
import type { Io } from "../../packages/ingot/src/cli/io.js";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { ingot, LANDING, type Outcome, projectMaker, refusal, storedFiles } from "./cli.js";

const project = projectMaker();
const FILES = {
  "transformations/all.sql": `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW gold AS SELECT count(*) AS n FROM bronze;
CREATE TEMPORARY VIEW peek AS SELECT * FROM bronze;`,
  "landing/1.csv": "id,v\n1,a\n2,b\n",
};
const MESSAGES = [
  "Flow spark_catalog.default.bronze is QUEUED.",
  "Flow spark_catalog.default.gold is QUEUED.",
  "Flow spark_catalog.default.bronze is STARTING.",
  "Flow spark_catalog.default.bronze is RUNNING.",
  "Flow spark_catalog.default.bronze has COMPLETED.",
  "Flow spark_catalog.default.gold is PLANNING.",
  "Flow spark_catalog.default.gold is STARTING.",
  "Flow spark_catalog.default.gold is RUNNING.",
  "Flow spark_catalog.default.gold has COMPLETED.",
  "Run is COMPLETED.",
];
/** 2026-10-01 12:00:00, and one second later at each look. */
const clock = () => {
  let now = Date.UTC(2026, 9, 1, 12);
  return () => {
    now += 1000;
    return new Date(now);
  };
};

describe("what a run tells", () => {
  const run = (args: readonly string[] = [], io: Partial<Io> = {}): Promise<Outcome> =>
    ingot(["run", ...args], { cwd: project(FILES), ...io });

  it("to people: Spark's lines with UTC time stamps on stderr, the tables on stdout", async () => {
    const { stdout, stderr } = await run([], { clock: clock() });
    const lines = stderr.trim().split("\n");
    for (const [i, message] of MESSAGES.entries())
      expect(lines[i]).toMatch(
        new RegExp(`^2026-10-01 12:0\\d:\\d\\d: ${message.replaceAll(".", "\\.")}( \\(.*\\))?$`),
      );
    expect(lines[4]).toMatch(/\(1 new file, 2 records; 2 rows, version 0, /);
    expect(lines.at(-1)).toMatch(/^next: /);
    expect(stdout).toBe(
      "bronze  COMPLETED  +2 rows  storage/warehouse/default/bronze\ngold    COMPLETED  1 row  storage/warehouse/default/gold\n",
    );
  });

  it("to programs as they happen: one event a line, in order, and nothing on stderr", async () => {
    const { stdout, stderr } = await run(["--json-stream"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events.map((e) => e.sequence)).toEqual(events.map((_, i) => i));
    expect(events.slice(1).map((e) => e.message)).toEqual(MESSAGES);
    expect(events[0]).toMatchObject({ event_type: "create_run", details: { create_run: { user: "tester" } } });
    expect(new Set(events.map((e) => e.origin.run_id)).size).toBe(1);
    expect(stderr).toBe("");
  });

  it("to programs at the end: one document", async () => {
    const { stdout } = await run(["--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      state: "COMPLETED",
      tables: [
        { name: "bronze", status: "COMPLETED", rows: 2 },
        { name: "gold", status: "COMPLETED", rows: 1 },
      ],
    });
  });

  it("with --quiet: warnings, errors and the result only", async () => {
    const cwd = project({ ...FILES, "landing/2.csv": "" });
    const { stdout, stderr } = await ingot(["run", "--quiet"], { cwd });
    expect(stderr).toMatch(/^\S+ \S+: \S*landing\/2\.csv is held back: [^\n]*\n$/);
    expect(stdout).toMatch(/bronze +COMPLETED/);
  });

  it("on a terminal: one line a flow, redrawn in place, within its width", async () => {
    let screen = "";
    const write = (text: string): void => {
      screen += text;
    };
    const stream = { write, isTTY: true, columns: 70, rows: 20 };
    const { code } = await run([], { stderr: stream });
    expect(code).toBe(0);
    const last = screen.slice(screen.lastIndexOf("\u001B[0J") + 4);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const plain = last.replace(/\u001B\[\d+m/g, "").split("\n");
    expect(plain[0]).toMatch(/^✔ spark_catalog\.default\.bronze +COMPLETED +1 new file/);
    expect(plain[1]).toMatch(/^✔ spark_catalog\.default\.gold +COMPLETED/);
    expect(Math.max(...plain.map((line) => line.length))).toBeLessThan(70);
    expect(last).toContain("\u001B[32m");
  });

  it.each([
    [{ env: { NO_COLOR: "1", FORCE_COLOR: "1" } }, [], false],
    [{ env: { FORCE_COLOR: "1" } }, [], true],
    [{ env: { FORCE_COLOR: "1" } }, ["--no-color"], false],
    [{}, [], false],
  ])("hears NO_COLOR, FORCE_COLOR and --no-color: %j %j", async (io, args, colours) => {
    const { stderr } = await ingot(["query", "SELEC", ...args], { cwd: project(FILES), ...io });
    expect(stderr.includes("\u001B[")).toBe(colours);
    expect(stderr).toContain("PARSE_SYNTAX_ERROR");
  });
});

describe("dry-run", () => {
  it("says what a run would do and why, to people and to programs, and writes nothing but caches", async () => {
    const cwd = project(FILES);
    expect((await ingot(["dry-run"], { cwd })).stdout).toBe(
      "bronze  append     1 new file, 2 records\ngold    recompute  after bronze\n",
    );
    const { stdout } = await ingot(["dry-run", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      tables: [
        {
          name: "spark_catalog.default.bronze",
          columns: ["id", "v"],
          flows: [{ flow: "bronze", action: "append", reason: "1 new file, 2 records" }],
        },
        { name: "spark_catalog.default.gold", columns: ["n"], flows: [{ action: "recompute" }] },
      ],
    });
    expect(storedFiles(cwd)).toEqual([]);
  });
});

describe("show", () => {
  let cwd = "";
  beforeAll(async () => {
    cwd = project(FILES);
    expect((await ingot(["run"], { cwd })).code).toBe(0);
  });

  it("prints tables in Spark's boxes, with version and place", async () => {
    const { stdout } = await ingot(["show"], { cwd });
    expect(stdout).toBe(`bronze (version 0, storage/warehouse/default/bronze)
+---+---+
| id|  v|
+---+---+
|  1|  a|
|  2|  b|
+---+---+

gold (version 0, storage/warehouse/default/gold)
+---+
|  n|
+---+
|  2|
+---+
`);
  });

  it("prints what it is asked for, views too, as much as it is asked for", async () => {
    const { stdout } = await ingot(["show", "peek", "spark_catalog.default.GOLD", "--limit", "1"], { cwd });
    expect(stdout).toMatch(/^peek \(temporary-view\)\n[\s\S]*only showing top 1 row\n\ngold \(version 0/);
  });

  it("gives JSON: name, path, version, columns and rows", async () => {
    const { stdout } = await ingot(["show", "gold", "peek", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      tables: [
        {
          name: "spark_catalog.default.gold",
          path: `${cwd}/storage/warehouse/default/gold`,
          version: 0,
          columns: [{ name: "n", type: "bigint" }],
          rows: [{ n: "2" }],
        },
        {
          name: "spark_catalog.default.peek",
          path: null,
          version: null,
          columns: [
            { name: "id", type: "bigint" },
            { name: "v", type: "string" },
          ],
          rows: [
            { id: "1", v: "a" },
            { id: "2", v: "b" },
          ],
        },
      ],
    });
  });

  it("proposes the nearest name", async () => {
    expect(await refusal(cwd, "show", "golt")).toMatchObject({
      code: 3,
      errors: [{ code: "UNKNOWN_TABLE", hint: "Did you mean gold?" }],
    });
  });
});

describe("the command line", () => {
  it.each([
    [["rum"], "unknown command 'rum'", "Did you mean run?"],
    [["run", "--refesh", "a"], "unknown option '--refesh'", "Did you mean --refresh?"],
    [["run", "--set", "x"], "Write key=value.", "See: ingot run --help"],
    [["show", "--limit", "-1"], "Write a whole number.", "See: ingot show --help"],
    [["run", "a"], "too many arguments", "See: ingot run --help"],
    [["query"], "missing required argument 'sql'", "See: ingot query --help"],
    [["run", "--spec", "a", "--project", "b"], "cannot be used with", "See: ingot run --help"],
    [["run", "--json", "--json-stream"], "cannot be used with", "See: ingot run --help"],
  ])("says what is wrong with %j, exit code 2", async (args, message, hint) => {
    const { code, stderr } = await ingot(args, { cwd: "/" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error\[USAGE\]: /);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`next: ${hint}\n`);
  });

  it("says it in JSON where JSON is asked for", async () => {
    expect(await refusal("/", "run", "--nope")).toMatchObject({ code: 2, errors: [{ code: "USAGE" }] });
  });

  it.each(["init", "run", "dry-run", "query", "show"])(
    "%s --help has examples first, on one screen",
    async (command) => {
      const { code, stdout } = await ingot([command, "--help"], { cwd: "/" });
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Examples:\n  ingot ${command}`));
      expect(stdout.trim().split("\n").length).toBeLessThan(25);
      expect(stdout).not.toContain("default: [");
    },
  );
});
