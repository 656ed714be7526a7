import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, run, texts, writeProject } from "./cli.js";
import { USER_HEADER, USER_CHANGES as USERS } from "./user-changes.js";

const project = projectMaker();

/** Puts one more file of changes in. */
function deliver(folder: string, header: string, lines: readonly string[]): void {
  writeFileSync(`${folder}/landing/${Date.now()}-${Math.random()}.csv`, `${[header, ...lines].join("\n")}\n`);
}

const changes = (columns: string, clauses: string) => ({
  "landing/.keep": "",
  "transformations/all.sql": `CREATE STREAMING TABLE feed AS SELECT * FROM STREAM read_files('landing', format => 'csv',
      header => true, enforceSchema => false, schema => '${columns}');
    CREATE STREAMING TABLE target;
    CREATE FLOW changes AS AUTO CDC INTO target FROM STREAM(feed) ${clauses};`,
});

describe("the documented examples of SCD type 2", () => {
  // Databricks, ldp/cdc: one batch, in this order.
  const COLUMNS = "userId INT, name STRING, city STRING, operation STRING, sequenceNum BIGINT";
  const CLAUSES = `KEYS (userId) APPLY AS DELETE WHEN operation = "DELETE" SEQUENCE BY sequenceNum
    COLUMNS * EXCEPT (operation, sequenceNum) STORED AS SCD TYPE 2`;
  const query = "SELECT * FROM target ORDER BY userId, __START_AT";

  it("keep each version of a user, in one batch or one by one", async () => {
    const expected = [
      "123 Isabel Monterrey 1 5",
      "123 Isabel Chihuahua 5 6",
      "124 Raul Oaxaca 1 null",
      "125 Mercedes Tijuana 2 5",
      "125 Mercedes Mexicali 5 6",
      "125 Mercedes Guadalajara 6 null",
      "126 Lily Cancun 2 null",
    ];
    const folder = project(changes(COLUMNS, CLAUSES));
    deliver(folder, USER_HEADER, USERS);
    await run(folder);
    expect(await texts(folder, query)).toEqual(expected);
    const parts = project(changes(COLUMNS, CLAUSES));
    for (const lines of [USERS.slice(4, 7), USERS.slice(0, 2), USERS.slice(7), USERS.slice(2, 4), USERS]) {
      deliver(parts, USER_HEADER, lines);
      await run(parts);
    }
    expect(await texts(parts, query)).toEqual(expected);
  });

  it("keep the last city, where its history is not tracked", async () => {
    const folder = project(changes(COLUMNS, `${CLAUSES} TRACK HISTORY ON * EXCEPT (city)`));
    deliver(folder, USER_HEADER, USERS);
    await run(folder);
    expect(await texts(folder, query)).toEqual([
      "123 Isabel Chihuahua 1 6",
      "124 Raul Oaxaca 1 null",
      "125 Mercedes Guadalajara 2 null",
      "126 Lily Cancun 2 null",
    ]);
  });
});

describe("late changes of type 2", () => {
  const COLUMNS = "id INT, status STRING, seq BIGINT";
  const HEADER = "id,status,seq";
  const CLAUSES =
    "KEYS (id) APPLY AS DELETE WHEN status = 'DELETE' SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2";
  const query = "SELECT status, __START_AT, __END_AT FROM target ORDER BY __START_AT";

  it("are spliced in, before and behind a delete", async () => {
    const folder = project(changes(COLUMNS, CLAUSES));
    const steps: readonly (readonly [line: string, rows: readonly string[]])[] = [
      ["1,ACTIVE,12", ["ACTIVE 12 null"]],
      ["1,PENDING,10", ["PENDING 10 12", "ACTIVE 12 null"]],
      ["1,DELETE,20", ["PENDING 10 12", "ACTIVE 12 20"]],
      ["1,SUSPENDED,18", ["PENDING 10 12", "ACTIVE 12 18", "SUSPENDED 18 20"]],
      // Remembered though no row tells it: what comes before it ends there.
      ["1,DELETE,5", ["PENDING 10 12", "ACTIVE 12 18", "SUSPENDED 18 20"]],
      ["1,NEW,3", ["NEW 3 5", "PENDING 10 12", "ACTIVE 12 18", "SUSPENDED 18 20"]],
    ];
    for (const [line, expected] of steps) {
      deliver(folder, HEADER, [line]);
      await run(folder);
      expect(await texts(folder, query)).toEqual(expected);
    }
  });

  it("split a version that was several changes", async () => {
    const folder = project(changes(COLUMNS, CLAUSES));
    deliver(folder, HEADER, ["1,A,1", "1,A,3", "1,A,5"]);
    await run(folder);
    expect(await texts(folder, query)).toEqual(["A 1 null"]);
    deliver(folder, HEADER, ["1,B,2"]);
    await run(folder);
    expect(await texts(folder, query)).toEqual(["A 1 2", "B 2 3", "A 3 null"]);
    deliver(folder, HEADER, ["1,DELETE,4"]);
    await run(folder);
    expect(await texts(folder, query)).toEqual(["A 1 2", "B 2 3", "A 3 4", "A 5 null"]);
  });
});

it("51 changes of an untracked column are one version, and of a tracked one 51", async () => {
  const clauses = "KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2";
  const lines = Array.from({ length: 51 }, (_, i) => `1,x,${i},${i}`);
  const counts: string[][] = [];
  for (const tracked of ["", " TRACK HISTORY ON * EXCEPT (last_synced_at)"]) {
    const folder = project(changes("id INT, v STRING, last_synced_at INT, seq BIGINT", clauses + tracked));
    deliver(folder, "id,v,last_synced_at,seq", lines);
    await run(folder);
    counts.push(await texts(folder, "SELECT count(*), min(__START_AT), max(last_synced_at) FROM target"));
  }
  expect(counts).toEqual([["51 0 50"], ["1 0 50"]]);
});

it("a NULL keeps the value of before with IGNORE NULL UPDATES, in any order", async () => {
  const clauses = "KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2";
  const query = "SELECT email, city, __START_AT, __END_AT FROM target ORDER BY __START_AT";
  const columns = "id INT, email STRING, city STRING, seq BIGINT";
  const plain = project(changes(columns, clauses));
  deliver(plain, "id,email,city,seq", ["1,a@b.c,Ankara,1", "1,,Istanbul,2"]);
  await run(plain);
  expect(await texts(plain, query)).toEqual(["a@b.c Ankara 1 2", "null Istanbul 2 null"]);
  const folder = project(changes(columns, `${clauses} IGNORE NULL UPDATES`));
  for (const line of ["1,,Istanbul,2", "1,a@b.c,Ankara,1"]) {
    deliver(folder, "id,email,city,seq", [line]);
    await run(folder);
  }
  expect(await texts(folder, query)).toEqual(["a@b.c Ankara 1 2", "a@b.c Istanbul 2 null"]);
});

describe("snapshots", () => {
  const snapshot = (columns: string, clauses: string, source = "extract") => ({
    "transformations/all.sql": `CREATE MATERIALIZED VIEW extract AS SELECT * FROM read_files('landing', format => 'csv',
        header => true, enforceSchema => false, schema => '${columns}');
      CREATE STREAMING TABLE target;
      CREATE FLOW extracts AS AUTO CDC INTO target FROM SNAPSHOT ${source} ${clauses};`,
  });

  /** The next extract takes the place of the one before. */
  const extract = (folder: string, header: string, lines: readonly string[]) =>
    writeProject(folder, { "landing/extract.csv": `${[header, ...lines].join("\n")}\n` });

  const fails = async (folder: string, ...args: string[]) => (await refusal(folder, "run", ...args)).errors[0];

  // Databricks, ldp/cdc: the source is a dataset.
  const FIRST = ["1,Oaxaca", "2,Monterrey", "3,Tijuana"];
  const SECOND = ["2,Carmel", "3,Los Angeles", "4,Death Valley", "6,Kings Canyon"];
  const ALL = "SELECT * FROM target ORDER BY ALL";

  it("are counted from 0 where they have no version", async () => {
    const folder = project(snapshot("key INT, value STRING", "KEYS (key) STORED AS SCD TYPE 2"));
    extract(folder, "key,value", FIRST);
    await run(folder);
    expect(await texts(folder, ALL)).toEqual(["1 Oaxaca 0 null", "2 Monterrey 0 null", "3 Tijuana 0 null"]);
    extract(folder, "key,value", SECOND);
    await run(folder);
    const expected = [
      "1 Oaxaca 0 1",
      "2 Carmel 1 null",
      "2 Monterrey 0 1",
      "3 Los Angeles 1 null",
      "3 Tijuana 0 1",
      "4 Death Valley 1 null",
      "6 Kings Canyon 1 null",
    ];
    expect(await texts(folder, ALL)).toEqual(expected);
    // Nothing is new, so nothing is done.
    const { stderr } = await ingot(["run"], { cwd: folder });
    expect(await texts(folder, ALL)).toEqual(expected);
    expect(stderr).toContain("unchanged: the same query over the same inputs");
  });

  it("are the table of type 1", async () => {
    const folder = project(snapshot("key INT, value STRING", "KEYS (key)"));
    for (const lines of [FIRST, SECOND]) {
      extract(folder, "key,value", lines);
      await run(folder);
      expect(await texts(folder, ALL)).toEqual(lines.map((line) => line.replace(",", " ")));
    }
  });

  it("take the version that a query says, and one that comes too late is skipped", async () => {
    const clauses = "WITH VERSION (SELECT max(v) FROM extract) KEYS (key) STORED AS SCD TYPE 2";
    const source = "(SELECT key, value FROM extract)";
    const folder = project(snapshot("key INT, value STRING, v INT", clauses, source));
    const at = (version: number, lines: readonly string[]) => lines.map((line) => `${line},${version}`);
    extract(folder, "key,value,v", at(1, FIRST));
    await run(folder);
    extract(folder, "key,value,v", at(2, SECOND.slice(0, 3)));
    await run(folder);
    const expected = [
      "1 Oaxaca 1 2",
      "2 Carmel 2 null",
      "2 Monterrey 1 2",
      "3 Los Angeles 2 null",
      "3 Tijuana 1 2",
      "4 Death Valley 2 null",
    ];
    expect(await texts(folder, ALL)).toEqual(expected);
    extract(folder, "key,value,v", at(4, SECOND.slice(0, 3)));
    await run(folder);
    extract(folder, "key,value,v", at(3, FIRST));
    const { code, stderr, stdout } = await ingot(["run"], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout + stderr).toMatch(/version 3 .*is skipped/);
    expect(await texts(folder, ALL)).toEqual(expected);
  });

  it("may have times for versions", async () => {
    const clauses = "WITH VERSION (SELECT max(ts) FROM extract) KEYS (key) STORED AS SCD TYPE 2";
    const folder = project(
      snapshot("key INT, value STRING, ts TIMESTAMP", clauses, "(SELECT key, value FROM extract)"),
    );
    extract(folder, "key,value,ts", ["1,a1,2024-01-01 00:00:00", "2,a2,2024-01-01 00:00:00"]);
    await run(folder);
    extract(folder, "key,value,ts", ["2,b2,2024-01-01 12:00:00", "3,a3,2024-01-01 12:00:00"]);
    await run(folder);
    const times = "date_format(__START_AT, 'HH:mm'), date_format(__END_AT, 'HH:mm')";
    expect(await texts(folder, `SELECT key, value, ${times} FROM target ORDER BY ALL`)).toEqual([
      "1 a1 00:00 12:00",
      "2 a2 00:00 12:00",
      "2 b2 12:00 null",
      "3 a3 12:00 null",
    ]);
  });

  it("update in place what is not tracked", async () => {
    const clauses =
      "WITH VERSION (SELECT max(v) FROM extract) KEYS (k) STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (other)";
    const folder = project(
      snapshot("k INT, tracked STRING, other STRING, v INT", clauses, "(SELECT k, tracked, other FROM extract)"),
    );
    extract(folder, "k,tracked,other,v", ["1,a1,b1,1", "2,a2,b2,1", "4,a4,b4,1"]);
    await run(folder);
    extract(folder, "k,tracked,other,v", ["2,a2_new,b2,2", "3,a3,b3,2", "4,a4,b4_new,2"]);
    await run(folder);
    expect(await texts(folder, ALL)).toEqual([
      "1 a1 b1 1 2",
      "2 a2 b2 1 2",
      "2 a2_new b2 2 null",
      "3 a3 b3 2 null",
      "4 a4 b4_new 1 null",
    ]);
  });

  it("are refused by name where they cannot be applied", async () => {
    const sql = snapshot("key INT, value STRING", "KEYS (key)")["transformations/all.sql"];
    const stream = "(SELECT * FROM STREAM read_files('landing', format => 'csv', header => true))";
    const cases: readonly (readonly [sql: string, code: string])[] = [
      [sql.replace("KEYS (key)", "KEYS (kee)"), "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA"],
      [
        sql.replace("KEYS", "WITH VERSION (SELECT struct(1)) KEYS"),
        "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.SNAPSHOT_VERSION_NOT_SORTABLE",
      ],
      [
        sql.replace("TABLE target", "TABLE target (CONSTRAINT positive EXPECT (key > 0))"),
        "APPLY_CHANGES_FROM_SNAPSHOT_EXPECTATIONS_NOT_SUPPORTED",
      ],
      [
        sql.replace("SNAPSHOT extract", `SNAPSHOT ${stream}`),
        "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_SNAPSHOT_FLOW",
      ],
      [
        `${sql} CREATE FLOW more AS AUTO CDC INTO target FROM SNAPSHOT extract KEYS (key);`,
        "AUTOCDC_MULTIPLE_FLOWS_TO_TARGET",
      ],
    ];
    for (const [text, code] of cases) {
      const folder = project({ "transformations/all.sql": text });
      extract(folder, "key,value", FIRST);
      expect((await refusal(folder, "dry-run")).errors[0]?.code).toBe(code);
    }
  });

  it("of a table without rows may have none", async () => {
    const folder = project(snapshot("key INT, value STRING", "KEYS (key)"));
    for (let i = 0; i < 2; i++) {
      extract(folder, "key,value", []);
      await run(folder, ...(i === 0 ? [] : ["--full-refresh-all"]));
      expect(await texts(folder, "SELECT count(*) FROM target")).toEqual(["0"]);
    }
    extract(folder, "key,value", FIRST);
    await run(folder);
    expect(await texts(folder, "SELECT count(*) FROM target")).toEqual(["3"]);
    extract(folder, "key,value", []);
    expect(await fails(folder, "--full-refresh-all")).toMatchObject({ code: "EMPTY_SNAPSHOT" });
    expect(await texts(folder, "SELECT count(*) FROM target")).toEqual(["3"]);
  });

  it("are refused where they cannot be whole, and the next one is taken", async () => {
    const folder = project(snapshot("key INT, value STRING", "KEYS (key) WITH (minRowShare => 0.5)"));
    extract(folder, "key,value", FIRST);
    await run(folder);
    const cases: readonly (readonly [lines: readonly string[], code: string, message: RegExp])[] = [
      [[], "EMPTY_SNAPSHOT", /no row/],
      [["1,a"], "SMALL_SNAPSHOT", /1 rows where 3/],
      [[",a", "1,b", "2,c"], "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.NULL_KEY", /1 row of the snapshot without a key/],
      [
        ["1,a", "1,b", "2,c"],
        "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.DUPLICATE_KEY_VIOLATION",
        /1 key with several rows in the snapshot, such as .*1.* with 2/,
      ],
    ];
    for (const [lines, code, message] of cases) {
      extract(folder, "key,value", lines);
      expect(await fails(folder)).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(await texts(folder, "SELECT count(*) FROM target")).toEqual(["3"]);
    }
    extract(folder, "key,value", ["1,a"]);
    await run(folder, "--allow-mass-delete", "target");
    expect(await texts(folder, ALL)).toEqual(["1 a"]);
    extract(folder, "key,value", SECOND);
    await run(folder);
    expect(await texts(folder, "SELECT count(*) FROM target")).toEqual(["4"]);
  });
});

describe("a table with a history", () => {
  const COLUMNS = "id INT, grp STRING, v STRING, day INT, n INT";
  const HEADER = "id,grp,v,day,n";

  it("is declared by the old words, and in TypeScript", async () => {
    const feed = `CREATE STREAMING LIVE TABLE feed AS SELECT * FROM STREAM read_files('landing', format => 'csv',
      header => true, enforceSchema => false, schema => '${COLUMNS}');`;
    const old = `${feed} CREATE STREAMING LIVE TABLE target;
      APPLY CHANGES INTO live.target FROM STREAM(live.feed) KEYS (id, grp) SEQUENCE BY STRUCT(day, n)
      COLUMNS * EXCEPT (day, n) STORED AS SCD TYPE 2;`;
    const typed = `import { createAutoCdcFlow, createStreamingTable } from "ingot";
      createAutoCdcFlow({ target: createStreamingTable("target"), source: "feed", keys: ["id", "grp"],
        sequenceBy: ["day", "n"], exceptColumnList: ["day", "n"], storedAsScdType: 2 });`;
    for (const files of [
      { "transformations/all.sql": old },
      { "transformations/feed.sql": feed, "transformations/target.ts": typed },
    ]) {
      const folder = project({ "landing/.keep": "", ...files });
      deliver(folder, HEADER, ["1,a,x,1,2", "1,b,x,1,1", "1,a,y,1,10"]);
      await run(folder);
      deliver(folder, HEADER, ["1,a,w,1,3", "1,b,x,2,0"]);
      await run(folder);
      const bounds = "__START_AT.day AS d, __START_AT.n AS n, __END_AT.n AS until";
      expect(await texts(folder, `SELECT id, grp, v, ${bounds} FROM target ORDER BY grp, n`)).toEqual([
        "1 a x 1 2 3",
        "1 a w 1 3 10",
        "1 a y 1 10 null",
        "1 b x 1 1 null",
      ]);
    }
  });

  it("gains columns, keeps those that the source loses, and is the same after a full refresh", async () => {
    const clauses = "KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (n) STORED AS SCD TYPE 2";
    const folder = project(changes("id INT, v STRING, n INT", clauses));
    deliver(folder, "id,v,n", ["1,x,1"]);
    await run(folder);
    const wider = changes("id INT, v STRING, n INT, more INT", clauses);
    writeProject(folder, { "transformations/all.sql": wider["transformations/all.sql"] });
    deliver(folder, "id,v,n,more", ["1,x,2,7", "1,x,3,7", "2,a,1,"]);
    await run(folder);
    const list = "SELECT id, v, more, __START_AT, __END_AT FROM target ORDER BY ALL";
    const expected = ["1 x null 1 2", "1 x 7 2 null", "2 a null 1 null"];
    expect(await texts(folder, list)).toEqual(expected);
    await run(folder, "--full-refresh", "target");
    expect(await texts(folder, list)).toEqual(expected);
    const fewer = wider["transformations/all.sql"].replace("EXCEPT (n)", "EXCEPT (n, more)");
    writeProject(folder, { "transformations/all.sql": fewer });
    deliver(folder, "id,v,n,more", ["1,x,5,8"]);
    await run(folder);
    // The value that the source has no more stays where it was.
    expect(await texts(folder, list)).toEqual(["1 x null 1 2", "1 x null 5 null", "1 x 7 2 5", "2 a null 1 null"]);
  });

  it("is stopped by a batch that would close most of it, and by other keys", async () => {
    const clauses = "KEYS (id) APPLY AS DELETE WHEN v = 'gone' SEQUENCE BY n STORED AS SCD TYPE 2";
    const folder = project(changes("id INT, v STRING, n INT", `${clauses} WITH (maxDeleteShare => 0.5)`));
    deliver(folder, "id,v,n", ["1,x,1", "2,x,1", "3,x,1"]);
    await run(folder);
    deliver(folder, "id,v,n", ["1,gone,2", "2,gone,2"]);
    expect((await refusal(folder, "run")).errors[0]).toMatchObject({
      code: "MASS_DELETE",
      message: expect.stringContaining("2 of 3 rows"),
    });
    expect(await texts(folder, "SELECT count(*) FROM target WHERE __END_AT IS NULL")).toEqual(["3"]);
    await run(folder, "--allow-mass-delete", "target");
    expect(await texts(folder, "SELECT count(*) FROM target WHERE __END_AT IS NULL")).toEqual(["1"]);
    const other = changes("id INT, v STRING, n INT", clauses.replace("KEYS (id)", "KEYS (id, v)"));
    writeProject(folder, { "transformations/all.sql": other["transformations/all.sql"] });
    deliver(folder, "id,v,n", ["4,x,1"]);
    expect((await refusal(folder, "run")).errors[0]?.code).toBe("AUTOCDC_INVALID_STATE.KEY_SCHEMA_DRIFT");
  });

  it("tells Spark's readers and streams each change once, by its change feed", async () => {
    const clauses = "KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (n) STORED AS SCD TYPE 2";
    const files = changes("id INT, v STRING, n INT", clauses);
    const folder = project({
      ...files,
      "transformations/all.sql": files["transformations/all.sql"].replace(
        "CREATE STREAMING TABLE target",
        "CREATE STREAMING TABLE target TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')",
      ),
    });
    for (const line of ["1,x,1", "1,y,3", "1,w,2", "1,w,2"]) {
      deliver(folder, "id,v,n", [line]);
      await run(folder);
    }
    const feed =
      "SELECT _commit_version, _change_type, v, __START_AT, __END_AT FROM table_changes('target', 0) ORDER BY ALL";
    expect(await texts(folder, feed)).toEqual([
      "0 insert x 1 null",
      "1 insert y 3 null",
      "1 update_postimage x 1 3",
      "1 update_preimage x 1 null",
      "2 insert w 2 3",
      "2 update_postimage x 1 2",
      "2 update_preimage x 1 3",
    ]);
  });

  it("needs no state where it follows a change feed version by version", async () => {
    const clauses = "KEYS (id) APPLY AS DELETE WHEN v = 'gone' SEQUENCE BY n";
    const files = changes("id INT, v STRING, n INT", clauses);
    const sql = files["transformations/all.sql"].replace(
      "CREATE STREAMING TABLE target",
      "CREATE STREAMING TABLE target TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')",
    );
    const folder = project({
      ...files,
      "transformations/all.sql": `${sql}
        CREATE STREAMING TABLE versions;
        CREATE FLOW follow AS AUTO CDC INTO versions FROM STREAM target WITH (readChangeFeed = true, startingVersion = 0)
          KEYS (id) APPLY AS DELETE WHEN _change_type = 'delete' SEQUENCE BY _commit_version
          COLUMNS (id, v) STORED AS SCD TYPE 2;`,
    });
    for (const lines of [["1,a,1", "2,a,1"], ["1,a,2", "2,gone,2"], ["1,b,3", "2,back,3"], ["2,late,1"]]) {
      deliver(folder, "id,v,n", lines);
      await run(folder);
    }
    expect(await texts(folder, "SELECT * FROM versions ORDER BY id, __START_AT")).toEqual([
      "1 a 0 2",
      "1 b 2 null",
      "2 a 0 1",
      "2 back 2 null",
    ]);
    const state = `${folder}/storage/_cdc/spark_catalog/default/versions/0`;
    expect(await texts(folder, `SELECT count(*) FROM delta.\`${state}\``)).toEqual(["0"]);
  });
});
