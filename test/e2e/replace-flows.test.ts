import { describe, expect, it } from "vitest";
import { events, projectMaker, refusal, run, texts, writeProject } from "./cli.js";

const project = projectMaker();

const deliver = (folder: string, name: string, header: string, lines: readonly string[]) =>
  writeProject(folder, { [`landing/${name}.csv`]: `${[header, ...lines].join("\n")}\n` });

const read = (columns: string) =>
  `read_files('landing', format => 'csv', header => true, enforceSchema => false, schema => '${columns}')`;

describe("REPLACE USING", () => {
  const HEADER = "region_id,device_type,event_type,seq";
  const COLUMNS = "region_id INT, device_type STRING, event_type STRING, seq INT";
  const SQL = `CREATE STREAMING TABLE events FLOW REPLACE USING (region_id) SEQUENCE BY seq BY NAME
    SELECT * FROM STREAM ${read(COLUMNS)};`;
  const query = "SELECT * FROM events ORDER BY ALL";
  const OLD = ["1,iOS,click,1", "1,Android,conversion,1", "2,iOS,click,1", "2,desktop,click,1"];
  const NEW = ["1,iOS,click,2", "1,Android,conversion,2", "1,desktop,click,2", "3,iOS,click,1", "3,desktop,click,2"];
  // Databricks, ldp/flows-replace-using.
  const EXPECTED = [
    "1 Android conversion 2",
    "1 desktop click 2",
    "1 iOS click 2",
    "2 desktop click 1",
    "2 iOS click 1",
    "3 desktop click 2",
  ];

  it.each([
    ["as documented", [OLD, NEW]],
    ["when the newer rows come first", [NEW, OLD]],
    ["when all come at once", [[...OLD, ...NEW]]],
    ["when the rows of one sequence come apart", [NEW.slice(0, 1), OLD, NEW.slice(1)]],
  ])("keeps the rows of the greatest sequence of each key, %s", async (_name, batches) => {
    const folder = project({ "transformations/all.sql": SQL });
    for (const [i, lines] of batches.entries()) {
      deliver(folder, String(i), HEADER, lines);
      await run(folder);
    }
    expect(await texts(folder, query)).toEqual(EXPECTED);
    await run(folder, "--full-refresh", "events");
    expect(await texts(folder, query)).toEqual(EXPECTED);
  });

  it("counts what became of each row", async () => {
    const folder = project({ "transformations/all.sql": SQL });
    deliver(folder, "0", HEADER, OLD);
    await run(folder);
    deliver(folder, "1", HEADER, [...NEW, "2,iOS,click,0"]);
    const done = (await events(folder)).events.find((e) => e.message.includes("COMPLETED"));
    expect(done?.details).toMatchObject({
      flow_progress: {
        metrics: { num_changes: 6, num_inserted_rows: 4, num_superseded: 1, num_late: 1, num_truncated_rows: 2 },
      },
    });
  });

  it("refuses rows without key or sequence, and a source that is no stream", async () => {
    const folder = project({ "transformations/all.sql": SQL });
    deliver(folder, "0", HEADER, [",iOS,click,1"]);
    expect((await refusal(folder, "run")).errors[0]).toMatchObject({ code: "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY" });
    const batch = project({ "transformations/all.sql": SQL.replace("FROM STREAM ", "FROM ") });
    deliver(batch, "0", HEADER, OLD);
    expect((await refusal(batch, "run")).errors[0]).toMatchObject({
      code: "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE",
    });
  });
});

describe("REPLACE WHERE", () => {
  const COLUMNS = "id INT, year INT, amount INT";
  const sql = (condition: string, more = "") => `CREATE MATERIALIZED VIEW ledger AS SELECT * FROM ${read(COLUMNS)};
    CREATE STREAMING TABLE postings FLOW REPLACE WHERE ${condition} BY NAME SELECT id, year, amount FROM ledger${more};`;
  const query = "SELECT * FROM postings ORDER BY ALL";

  it("computes the rows of the condition anew and leaves the others", async () => {
    const folder = project({ "transformations/all.sql": sql("year = 2025") });
    deliver(folder, "ledger", "id,year,amount", ["1,2025,10", "2,2025,20", "3,2026,30"]);
    await run(folder);
    expect(await texts(folder, query)).toEqual(["1 2025 10", "2 2025 20"]);
    writeProject(folder, { "transformations/all.sql": sql("year >= 2026") });
    deliver(folder, "ledger", "id,year,amount", ["1,2025,11", "3,2026,30", "4,2026,40"]);
    await run(folder);
    // Those of 2025 are as they were, though the source has others now.
    const both = ["1 2025 10", "2 2025 20", "3 2026 30", "4 2026 40"];
    expect(await texts(folder, query)).toEqual(both);
    expect(await run(folder)).toContain("unchanged: the same query over the same inputs");
    deliver(folder, "ledger", "id,year,amount", ["3,2026,33"]);
    await run(folder);
    expect(await texts(folder, query)).toEqual(["1 2025 10", "2 2025 20", "3 2026 33"]);
  });

  it("refuses a condition that is none, a stream, and another flow into its table", async () => {
    const cases: readonly (readonly [text: string, code: string])[] = [
      [sql("year"), "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"],
      [sql("yaer = 2026"), "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
      [
        `CREATE STREAMING TABLE t FLOW REPLACE WHERE year = 2026 BY NAME SELECT * FROM STREAM ${read(COLUMNS)};`,
        "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_SNAPSHOT_FLOW",
      ],
      [
        sql("year = 2026", `; CREATE FLOW more AS INSERT INTO postings BY NAME SELECT * FROM STREAM ${read(COLUMNS)}`),
        "AUTOCDC_MULTIPLE_FLOWS_TO_TARGET",
      ],
    ];
    for (const [text, code] of cases) {
      const folder = project({ "transformations/all.sql": text });
      deliver(folder, "ledger", "id,year,amount", ["1,2025,10"]);
      expect((await refusal(folder, "run")).errors[0]?.code).toBe(code);
    }
  });
});

it("are declared in TypeScript too", async () => {
  const folder = project({
    "transformations/all.ts": `import { createStreamingTable, replaceFlow, sql } from "ingot";
      const orders = createStreamingTable("orders");
      replaceFlow({ target: orders, replaceUsing: ["id"], sequenceBy: "seq",
        query: sql\`WITH news AS (SELECT * FROM STREAM ${read("id INT, item INT, seq INT")}) SELECT * FROM news\` });`,
  });
  deliver(folder, "0", "id,item,seq", ["1,1,1", "1,2,1"]);
  deliver(folder, "1", "id,item,seq", ["1,1,2"]);
  await run(folder);
  expect(await texts(folder, "SELECT * FROM orders")).toEqual(["1 1 2"]);
});
