import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { events, ingot, projectMaker, refusal, rows, run, texts } from "./cli.js";
import { USER_HEADER, USER_CHANGES as USERS } from "./user-changes.js";

const project = projectMaker();

let delivered = 0;

/** The next file of changes: CSV lines under a header. */
function deliver(folder: string, header: string, lines: readonly string[]): void {
  delivered += 1;
  writeFileSync(`${folder}/landing/${String(delivered).padStart(6, "0")}.csv`, `${[header, ...lines].join("\n")}\n`);
}

/** A stream of changes from `landing/`, and a table that a flow fills from it. */
const changes = (schema: string, flow: string, table = "target") => `
CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => '${schema}');
CREATE STREAMING TABLE ${table};
CREATE FLOW f AS AUTO CDC INTO ${table} FROM STREAM(changes) ${flow};`;
const projectOf = (sql: string) => project({ "transformations/all.sql": sql, "landing/.keep": "" });

describe("the examples of Databricks' documentation (ldp/cdc), SCD type 1", () => {
  const SQL = changes(
    "userId INT, name STRING, city STRING, operation STRING, sequenceNum BIGINT",
    `KEYS (userId) APPLY AS DELETE WHEN operation = "DELETE" APPLY AS TRUNCATE WHEN operation = "TRUNCATE"
     SEQUENCE BY sequenceNum COLUMNS * EXCEPT (operation, sequenceNum) STORED AS SCD TYPE 1`,
  );
  const NEWEST = ["124 Raul Oaxaca", "125 Mercedes Guadalajara", "126 Lily Cancun"];
  const users = (folder: string) => texts(folder, "SELECT * FROM target ORDER BY userId");

  it("keep the newest row of each user, in one batch", async () => {
    const folder = projectOf(SQL);
    deliver(folder, USER_HEADER, USERS);
    await run(folder);
    expect(await users(folder)).toEqual(NEWEST);
  });

  it("keep it in any batches", async () => {
    const folder = projectOf(SQL);
    for (const line of USERS.toReversed()) {
      deliver(folder, USER_HEADER, [line]);
      await run(folder);
    }
    expect(await users(folder)).toEqual(NEWEST);
  });

  it("lose what is older than a truncate, whose key is NULL", async () => {
    const folder = projectOf(SQL);
    deliver(folder, USER_HEADER, [...USERS, ",,,TRUNCATE,3"]);
    await run(folder);
    expect(await users(folder)).toEqual(["125 Mercedes Guadalajara"]);
  });

  it("lose it when the truncate comes later, or first", async () => {
    const late = projectOf(SQL);
    deliver(late, USER_HEADER, USERS);
    await run(late);
    deliver(late, USER_HEADER, [",,,TRUNCATE,3"]);
    await run(late);
    expect(await users(late)).toEqual(["125 Mercedes Guadalajara"]);
    const early = projectOf(SQL);
    deliver(early, USER_HEADER, [",,,TRUNCATE,3"]);
    await run(early);
    deliver(early, USER_HEADER, USERS);
    await run(early);
    expect(await users(early)).toEqual(["125 Mercedes Guadalajara"]);
  });
});

it("keeps archived rows where the source tells their deletes, and refuses to where it does not", async () => {
  const flow = (column: string) =>
    changes(
      `id INT, name STRING, seq BIGINT, ${column} STRING`,
      `KEYS (id) APPLY AS DELETE WHEN ${column} LIKE '%delete' WITH (on_archive_delete => 'keep') SEQUENCE BY seq
       COLUMNS * EXCEPT (${column})`,
    );
  const folder = projectOf(flow("_change_type"));
  deliver(folder, "id,name,seq,_change_type", ["1,a,1,insert", "2,b,1,insert"]);
  await run(folder);
  deliver(folder, "id,name,seq,_change_type", ["1,,2,archive_delete", "2,,2,delete"]);
  await run(folder);
  expect(await texts(folder, "SELECT * FROM target")).toEqual(["1 a 1"]);
  const { errors } = await refusal(projectOf(flow("op")), "run");
  expect(errors).toMatchObject([{ code: "AUTOCDC_ARCHIVE_DELETES_NOT_TOLD" }]);
});

it("follows Spark's guide through three runs", async () => {
  const folder = projectOf(
    changes(
      "id INT, name STRING, version BIGINT, op STRING",
      "KEYS (id) APPLY AS DELETE WHEN op = 'DELETE' SEQUENCE BY version COLUMNS * EXCEPT (op)",
    ),
  );
  const header = "id,name,version,op";
  const steps: readonly (readonly [changes: readonly string[], after: readonly string[]])[] = [
    [
      ["1,alice,1,UPSERT", "2,bob,1,UPSERT"],
      ["1 alice 1", "2 bob 1"],
    ],
    [
      ["1,alicia,2,UPSERT", "1,alice,1,UPSERT", "2,bob,2,DELETE", "3,carol,1,UPSERT"],
      ["1 alicia 2", "3 carol 1"],
    ],
    [["1,alice,1,UPSERT"], ["1 alicia 2", "3 carol 1"]],
  ];
  for (const [lines, after] of steps) {
    deliver(folder, header, lines);
    await run(folder);
    expect(await texts(folder, "SELECT * FROM target ORDER BY id")).toEqual(after);
  }
});

/** What `AUTO CDC` of Spark 4.2 does, step by step: its own run (`pipelines/README.md` W10, M-5). */
const TIES: readonly (readonly [change: string, after: string])[] = [
  ["5,a,U", "5 a"],
  ["5,a,D", "5 a"],
  ["6,a,D", ""],
  ["5,b,U", ""],
  ["6,c,U", "6 c"],
  ["6,c,D", "6 c"],
  ["7,c,D", ""],
  ["6,d,U", ""],
  ["7,e,U", "7 e"],
];
it.each(["COLUMNS * EXCEPT (op)", "COLUMNS * EXCEPT (op, seq)"])(
  "decides ties and late changes as Spark, with %s",
  async (columns) => {
    const folder = projectOf(
      changes(
        "k INT, seq BIGINT, v STRING, op STRING",
        `KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq ${columns}`,
      ),
    );
    const list = columns.includes("seq") ? "v" : "seq, v";
    for (const [change, after] of TIES) {
      deliver(folder, "k,seq,v,op", [`1,${change}`]);
      await run(folder);
      const expected = list === "v" ? after.slice(2) : after;
      expect((await texts(folder, `SELECT ${list} FROM target`)).join(), change).toBe(expected);
    }
  },
  60_000,
);

it("remembers the delete of a key that it has never had", async () => {
  const folder = projectOf(
    changes("k INT, seq BIGINT, op STRING", "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq"),
  );
  const after: string[] = [];
  for (const change of ["3,D", "2,U", "3,U"]) {
    deliver(folder, "k,seq,op", [`1,${change}`]);
    await run(folder);
    after.push((await texts(folder, "SELECT seq FROM target")).join());
  }
  expect(after).toEqual(["", "", "3"]);
});

it("keeps what a sparse update leaves NULL only where it is told to", async () => {
  const lines = ["1,a@x,Ankara,1", "1,,Istanbul,2"];
  const city = async (clause: string) => {
    const folder = projectOf(
      changes(
        "id INT, email STRING, city STRING, seq BIGINT",
        `KEYS (id) ${clause} SEQUENCE BY seq COLUMNS * EXCEPT (seq)`,
      ),
    );
    for (const line of lines) {
      deliver(folder, "id,email,city,seq", [line]);
      await run(folder);
    }
    return texts(folder, "SELECT email, city FROM target");
  };
  expect(await city("")).toEqual(["null Istanbul"]);
  expect(await city("IGNORE NULL UPDATES")).toEqual(["a@x Istanbul"]);
  expect(await city("IGNORE NULL UPDATES ON (city)")).toEqual(["null Istanbul"]);
  expect(await city("IGNORE NULL UPDATES ON * EXCEPT (city)")).toEqual(["a@x Istanbul"]);
});

describe("COLUMNS TO UPDATE", () => {
  const header = "id,email,city,written,op,seq";
  const columns = "COLUMNS * EXCEPT (written, op, seq) COLUMNS TO UPDATE written";
  const sql = (clauses = columns) => `
CREATE STREAMING TABLE changes AS SELECT * EXCEPT (written), CASE WHEN written <> '' THEN split(written, ' ') END AS written
  FROM STREAM read_files('landing', format => 'csv', header => true, enforceSchema => false,
  schema => 'id INT, email STRING, city STRING, written STRING, op STRING, seq BIGINT');
CREATE STREAMING TABLE target;
CREATE FLOW f AS AUTO CDC INTO target FROM STREAM(changes) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq ${clauses};`;
  const steps = [
    ["1,a@x,Ankara,email city,U,1", "1 a@x Ankara"],
    // A NULL that is listed is written, what is not listed stays.
    ["1,,Istanbul,city,U,3", "1 a@x Istanbul"],
    ["1,,Izmir,EMAIL,U,4", "1 null Istanbul"],
    // Late: the newest change that lists the email is the one before.
    ["1,b@x,Bursa,email city,U,2", "1 null Istanbul"],
    ["1,,,,D,5", ""],
    ["1,c@x,Bursa,city,U,6", "1 null Bursa"],
  ] as const;

  it("writes what a change lists, NULLs too, and keeps the rest, in any order", async () => {
    const folder = projectOf(sql());
    for (const [line, after] of steps) {
      deliver(folder, header, [line]);
      await run(folder);
      expect((await texts(folder, "SELECT * FROM target")).join(), line).toBe(after);
    }
  }, 60_000);

  it("keeps a history of it", async () => {
    const folder = projectOf(sql(`${columns} STORED AS SCD TYPE 2`));
    for (const [line] of steps) {
      deliver(folder, header, [line]);
      await run(folder);
    }
    expect(await texts(folder, "SELECT * FROM target ORDER BY __START_AT")).toEqual([
      "1 a@x Ankara 1 2",
      "1 b@x Bursa 2 3",
      "1 b@x Istanbul 3 4",
      "1 null Istanbul 4 5",
      "1 null Bursa 6 null",
    ]);
  }, 60_000);

  it("is refused where it cannot be told what a change writes", async () => {
    const folder = projectOf(sql());
    deliver(folder, header, ["1,a,b,email citty,U,1", "2,a,b,,D,1"]);
    const unknown = "AUTOCDC_MICROBATCH_VALIDATION.UNKNOWN_COLUMN_TO_UPDATE";
    expect((await refusal(folder, "run")).errors).toMatchObject([{ code: unknown }]);
    const other = projectOf(sql());
    deliver(other, header, ["1,a,b,,U,1", "2,a,b,,D,1"]);
    const [error] = (await refusal(other, "run")).errors;
    expect(error?.code).toBe("AUTOCDC_MICROBATCH_VALIDATION.NULL_COLUMNS_TO_UPDATE");
    expect(error?.message).toContain("1 change has no list of columns to update");
  });

  it("is refused for a table whose changes wrote whole rows", async () => {
    const folder = projectOf(sql("COLUMNS * EXCEPT (written, op, seq)"));
    deliver(folder, header, ["1,a,b,,U,1"]);
    await run(folder);
    writeFileSync(`${folder}/transformations/all.sql`, sql());
    deliver(folder, header, ["1,a,c,city,U,2"]);
    const drift = "AUTOCDC_INVALID_STATE.SEQUENCING_TYPE_DRIFT";
    expect((await refusal(folder, "run")).errors).toMatchObject([{ code: drift }]);
  });
});

describe("what a run tells", () => {
  const SQL = changes(
    "k INT, seq BIGINT, v STRING, op STRING",
    "KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op) WITH (max_delete_share => 0.5)",
  );
  const HEADER = "k,seq,v,op";
  const metrics = async (folder: string) => {
    const { code, events: told } = await events(folder);
    expect(code).toBe(0);
    const done = told.flatMap(({ details, origin }) =>
      "flow_progress" in details && details.flow_progress.status === "COMPLETED" && origin.flow_name?.endsWith(".f")
        ? [details.flow_progress.metrics]
        : [],
    );
    return done[0];
  };

  it("counts each change once", async () => {
    const folder = projectOf(SQL);
    deliver(folder, HEADER, ["1,5,a,U", "2,5,a,U", "3,5,a,U", "4,1,,D"]);
    expect(await metrics(folder)).toMatchObject({
      num_changes: 4,
      num_upserted_rows: 3,
      num_inserted_rows: 3,
      num_deleted_rows: 0,
      num_unchanged: 1,
    });
    deliver(folder, HEADER, [
      "1,6,b,U",
      "1,4,x,U",
      "2,4,x,U",
      "3,9,,D",
      "3,5,a,U",
      "4,1,,D",
      "5,1,a,U",
      "5,1,a,U",
      "5,1,,D",
    ]);
    const told = await metrics(folder);
    expect(told).toMatchObject({
      num_changes: 9,
      num_upserted_rows: 2,
      num_inserted_rows: 1,
      num_updated_rows: 1,
      num_deleted_rows: 1,
      num_superseded: 3,
      num_duplicates: 2,
      num_late: 1,
      num_ties: 1,
    });
    expect(told).not.toHaveProperty("num_output_rows");
  });

  it("stops a mass delete before anything is applied, until it is allowed", async () => {
    const folder = projectOf(SQL);
    deliver(folder, HEADER, ["1,1,a,U", "2,1,a,U", "3,1,a,U"]);
    await run(folder);
    deliver(folder, HEADER, ["1,2,,D", "2,2,,D"]);
    const { code, errors } = await refusal(folder, "run");
    expect({ code, error: errors[0]?.code }).toEqual({ code: 1, error: "MASS_DELETE" });
    expect(errors[0]?.message).toContain("2 of 3 rows (66.7 %), and maxDeleteShare is 50 %");
    expect(errors[0]?.hint).toContain("--allow-mass-delete target");
    expect(await texts(folder, "SELECT k FROM target ORDER BY k")).toEqual(["1", "2", "3"]);
    await run(folder, "--allow-mass-delete", "target");
    expect(await texts(folder, "SELECT k FROM target")).toEqual(["3"]);
  });

  it.each([
    ["1,,a,U", "NULL_SEQUENCE"],
    [",1,a,U", "NULL_KEY"],
  ])("refuses a batch with %s by its name, count and an example", async (line, fault) => {
    const folder = projectOf(SQL);
    deliver(folder, HEADER, ["7,1,a,U", line]);
    const { code, errors } = await refusal(folder, "run");
    expect({ code, error: errors[0]?.code }).toEqual({ code: 1, error: `AUTOCDC_MICROBATCH_VALIDATION.${fault}` });
    expect(errors[0]?.message).toMatch(/1 change has no (key|sequence), such as .*'v': a/);
    expect(await ingot(["query", "SELECT * FROM target"], { cwd: folder })).toMatchObject({ code: 3 });
  });
});

describe("a project in TypeScript", () => {
  const TS = `import { createAutoCdcFlow, createStreamingTable, readFiles, table } from "ingot";
const changes = table("changes", {
  query: sql\`SELECT * FROM STREAM \${readFiles("landing", { format: "csv", schema: "k INT, a INT, b INT, v STRING, op STRING", header: true, enforceSchema: false })}\`,
});
export const target = createAutoCdcFlow({
  target: createStreamingTable("target", { comment: "newest state" }),
  source: changes,
  keys: ["k"],
  sequenceBy: ["a", "b"],
  applyAsDeletes: "op = 'D'",
  exceptColumnList: ["op", "a", "b"],
  ties: "delete",
}).target;
`.replace("import {", 'import { sql } from "ingot";\nimport {');

  it("gives the same as its SQL, which --explain prints", async () => {
    const typescript = project({ "transformations/all.ts": TS, "landing/.keep": "" });
    const explained = await ingot(["dry-run", "--explain"], { cwd: typescript });
    expect(explained.code, explained.stderr).toBe(0);
    const printed = projectOf(explained.stdout);
    for (const folder of [typescript, printed]) {
      deliver(folder, "k,a,b,v,op", ["1,1,2,x,U", "1,1,10,y,U", "2,1,1,x,U", "2,1,1,x,D", "3,,1,x,U", "3,1,,z,U"]);
      await run(folder);
      expect(await texts(folder, "SELECT * FROM target ORDER BY k")).toEqual(["1 y", "3 z"]);
    }
    deliver(typescript, "k,a,b,v,op", ["4,1,1,x,U"]);
    const dry = await ingot(["dry-run"], { cwd: typescript });
    expect(dry.code, dry.stderr).toBe(0);
    expect(dry.stdout).toMatch(/target +apply +after changes/);
    const shown = await ingot(["show", "target"], { cwd: typescript });
    expect(shown.stdout).toContain("|  3|  z|");
    const types = await ingot(["types"], { cwd: typescript });
    expect(types.code, types.stderr).toBe(0);
  });
});

describe("several flows", () => {
  const source = (name: string, folder: string) => `
CREATE STREAMING TABLE ${name} AS SELECT * FROM STREAM read_files('${folder}', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, seq BIGINT, v STRING');`;
  const flow = (name: string, from: string, more = "") =>
    `CREATE FLOW ${name} AS AUTO CDC ${more} INTO target FROM STREAM ${from} KEYS (k) SEQUENCE BY seq COLUMNS * EXCEPT (seq);`;
  const BOTH = `${source("a", "landing")}${source("b", "more")}
CREATE STREAMING TABLE target;
${flow("start", "b", "ONCE")}
${flow("follow", "a")}`;

  it("fill one table by the order of their changes, whichever comes first; a full refresh of all is one commit", async () => {
    const folder = project({
      "transformations/all.sql": BOTH,
      "landing/.keep": "",
      "more/1.csv": "k,seq,v\n1,5,new\n2,1,b\n",
    });
    deliver(folder, "k,seq,v", ["1,4,old", "2,2,c", "3,1,d"]);
    await run(folder);
    const rowsNow = () => texts(folder, "SELECT * FROM target ORDER BY k");
    expect(await rowsNow()).toEqual(["1 new", "2 c", "3 d"]);
    // A once flow has run.
    writeFileSync(`${folder}/more/2.csv`, "k,seq,v\n1,9,never\n");
    await run(folder);
    expect(await rowsNow()).toEqual(["1 new", "2 c", "3 d"]);
    await run(folder, "--full-refresh", "target");
    const refreshed = ["1 never", "2 c", "3 d"];
    expect(await rowsNow()).toEqual(refreshed);
    expect(await texts(folder, "SELECT * FROM target VERSION AS OF 1 ORDER BY k")).toEqual(["1 new", "2 c", "3 d"]);
    expect(await texts(folder, "SELECT * FROM target VERSION AS OF 2 ORDER BY k")).toEqual(refreshed);
  });

  it("are refused where they cannot share it", async () => {
    const other = BOTH.replace(
      "KEYS (k) SEQUENCE BY seq COLUMNS * EXCEPT (seq);\nCREATE FLOW follow",
      "KEYS (k) SEQUENCE BY seq;\nCREATE FLOW follow",
    );
    const folder = project({ "transformations/all.sql": other, "landing/.keep": "", "more/.keep": "" });
    const { code, errors } = await refusal(folder, "dry-run");
    expect({ code, error: errors[0]?.code }).toEqual({ code: 3, error: "AUTOCDC_MULTIPLE_FLOWS_TO_TARGET" });
    expect(errors[0]?.message).toContain("they differ in columns");
  });
});

it("names the place of a fault in a condition", async () => {
  const folder = projectOf(changes("k INT, seq BIGINT", "KEYS (k)\n  APPLY AS DELETE WHEN nope = 1 SEQUENCE BY seq"));
  const { errors } = await refusal(folder, "dry-run");
  expect(errors[0]).toMatchObject({ code: "UNRESOLVED_COLUMN.WITH_SUGGESTION", at: "transformations/all.sql:6:24" });
});

it("reads a stream of changes, not a table as it is", async () => {
  const sql = changes("k INT, seq BIGINT", "KEYS (k) SEQUENCE BY seq").replace("STREAM(changes)", "changes");
  const { errors } = await refusal(projectOf(sql), "dry-run");
  expect(errors[0]?.code).toBe("INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE");
});

it("refuses a sequence that looks at other rows", async () => {
  const sql = changes("k INT, seq BIGINT", "KEYS (k) SEQUENCE BY row_number() OVER (ORDER BY seq)");
  const { errors } = await refusal(projectOf(sql), "dry-run");
  expect(errors[0]).toMatchObject({ code: "UNSUPPORTED_CLAUSE", at: "transformations/all.sql:5:81" });
});

describe("changes of a change feed", () => {
  const SQL = `CREATE STREAMING TABLE newest TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');
CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, seq BIGINT, v STRING, op STRING');
CREATE FLOW f AS AUTO CDC INTO newest FROM STREAM(changes) KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq
  COLUMNS * EXCEPT (op);
CREATE STREAMING TABLE target;
CREATE FLOW g AS AUTO CDC INTO target FROM STREAM newest WITH (readChangeFeed = true, startingVersion = 0) KEYS (k)
  APPLY AS DELETE WHEN _change_type = 'delete' SEQUENCE BY _commit_version
  COLUMNS * EXCEPT (_change_type, _commit_version, _commit_timestamp);`;

  it.each(["_commit_version", "STRUCT(_commit_version, seq)"])(
    "are applied by %s, before-images aside, and leave no tombstone",
    async (sequence) => {
      const folder = projectOf(SQL.replace("SEQUENCE BY _commit_version", `SEQUENCE BY ${sequence}`));
      const batches = [
        ["1,1,a,U", "2,1,a,U"],
        ["1,2,b,U", "2,2,,D", "3,1,a,U"],
        ["2,3,back,U", "3,2,,D"],
        ["3,1,late,U"],
      ];
      for (const lines of batches) {
        deliver(folder, "k,seq,v,op", lines);
        await run(folder);
        const both = await Promise.all(["newest", "target"].map((t) => texts(folder, `SELECT * FROM ${t} ORDER BY k`)));
        expect(both[1]).toEqual(both[0]);
      }
      expect(await texts(folder, "SELECT * FROM target ORDER BY k")).toEqual(["1 2 b", "2 3 back"]);
      const state = `${folder}/storage/_cdc/spark_catalog/default/target/0`;
      expect(await texts(folder, `SELECT count(*) FROM delta.\`${state}\``)).toEqual(["0"]);
      const other = SQL.replace("SEQUENCE BY _commit_version", "SEQUENCE BY seq");
      writeFileSync(`${folder}/transformations/all.sql`, other);
      deliver(folder, "k,seq,v,op", ["9,9,a,U"]);
      const { errors } = await refusal(folder, "run");
      expect(errors[0]).toMatchObject({
        code: "AUTOCDC_INVALID_STATE.SEQUENCING_TYPE_DRIFT",
        message:
          "spark_catalog.default.target: its changes were ordered by the version of a change feed, and now by the column seq",
      });
    },
  );
});

it("applies what the rules of its source let pass; the rest is set aside, once", async () => {
  const folder =
    projectOf(`CREATE TEMPORARY VIEW checked (CONSTRAINT positive EXPECT (seq > 0) ON VIOLATION QUARANTINE ROW)
AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true, enforceSchema => false,
  schema => 'k INT, seq BIGINT, v STRING');
CREATE STREAMING TABLE target PARTITIONED BY (v);
CREATE FLOW f AS AUTO CDC INTO target FROM STREAM checked KEYS (k) SEQUENCE BY seq;`);
  deliver(folder, "k,seq,v", ["1,1,a", "2,0,bad", "3,1,a"]);
  await run(folder);
  deliver(folder, "k,seq,v", ["1,2,b", "3,-1,bad"]);
  await run(folder);
  expect(await texts(folder, "SELECT * FROM target ORDER BY k")).toEqual(["1 2 b", "3 1 a"]);
  expect(await texts(folder, "SELECT k, seq FROM checked_quarantine ORDER BY k")).toEqual(["2 0", "3 -1"]);
});

it("takes columns of any name but the one that DuckDB keeps for itself", async () => {
  const names = ["event", "place", "fate", "tie", "digest", "mine", "was", "dead", "was_live", "row", "v0"];
  const sql = changes(
    `${names.map((name) => `\`${name}\` INT`).join(", ")}, v STRING, seq BIGINT`,
    `KEYS (${names.map((name) => `\`${name}\``).join(", ")}) SEQUENCE BY STRUCT(seq) COLUMNS * EXCEPT (seq)`,
  );
  const header = `${names.join(",")},v,seq`;
  const line = (v: string, seq: number) => `${names.map((_, i) => i).join(",")},${v},${seq}`;
  for (const clauses of ["", "IGNORE NULL UPDATES"]) {
    const folder = projectOf(sql.replace("SEQUENCE BY", `${clauses} SEQUENCE BY`));
    for (const lines of [[line("a", 1)], [line("b", 2), line("c", 2), line("d", 1)], [line("e", 2)]]) {
      deliver(folder, header, lines);
      await run(folder);
    }
    const [row] = await rows(folder, "SELECT * FROM target");
    expect(["b", "c", "e"]).toContain(row?.["v"]);
    expect(names.map((name) => row?.[name])).toEqual(names.map((_, i) => i));
  }
  const { errors } = await refusal(
    projectOf(changes("k INT, rowid INT, seq BIGINT", "KEYS (k) SEQUENCE BY seq")),
    "run",
  );
  expect(errors[0]?.code).toBe("NOT_SUPPORTED");
});
