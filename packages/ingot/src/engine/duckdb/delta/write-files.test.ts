import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type DataType, fileLayout, type StructType } from "@ingot/delta";
import { afterAll, describe, expect, it } from "vitest";
import { sparkEvaluator } from "./evaluator.js";
import { closeTables, makeTable, schemaOf } from "./test-table.js";
import { writeFiles } from "./write-files.js";

afterAll(closeTables);

const NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__";

it("keeps partition values of any text, each in a folder below the table (V39)", async () => {
  // The last text is Hive's name of the folder for NULL.
  const values = ["A/B", "C:D", "50%", "ä ö", "x=y", " lead", "trail/", "a+b", "..", "%41", NULL_FOLDER, "", null];
  const table = await makeTable(schemaOf("id long, p string"), { partitionColumns: ["p"] });
  const rows = values.map((p, i) => `(${i + 1}::BIGINT, ${p === null ? "NULL" : `'${p}'`})`).join(", ");
  await table.append({ query: `SELECT * FROM (VALUES ${rows}) s(id, p)` });

  expect(await table.rows("SELECT id FROM t WHERE p IS NULL ORDER BY id")).toEqual(["{'id': 12}", "{'id': 13}"]);
  for (const [i, p] of values.slice(0, 11).entries())
    expect(await table.rows(`SELECT id FROM t WHERE p = '${p}'`)).toEqual([`{'id': ${i + 1}}`]);
  const { files } = await table.snapshot();
  expect(files.flatMap(({ partitionValues }) => partitionValues["p"] ?? []).sort()).toEqual(values.slice(0, 11).sort());
  for (const { path, uri } of files) {
    expect(decodeURIComponent(uri)).toBe(path);
    expect(join(table.location, path).startsWith(`${table.location}/p=`)).toBe(true);
  }
});

it("writes partition values of every type so that they read back", async () => {
  const table = await makeTable(
    schemaOf("id long, a date, b timestamp, c timestamp_ntz, d double, e boolean, f binary, g integer"),
    {
      partitionColumns: ["a", "b", "c", "d", "e", "f", "g"],
    },
  );
  const row = `1::BIGINT AS id, DATE '0001-02-03' AS a, TIMESTAMPTZ '2024-05-01 10:00:00.123456+02' AS b, TIMESTAMP '2024-05-01 10:00:00.1' AS c,
    '-Infinity'::DOUBLE AS d, true AS e, '\\x01a'::BLOB AS f, -7 AS g`;
  await table.append({ query: `SELECT ${row}` });
  expect((await table.snapshot()).files.map(({ partitionValues }) => partitionValues)).toEqual([
    {
      a: "0001-02-03",
      b: "2024-05-01T08:00:00.123456Z",
      c: "2024-05-01 10:00:00.100000",
      d: "-Infinity",
      e: "true",
      f: "\u0001a",
      g: "-7",
    },
  ]);
  expect(await table.rows(`SELECT (t = s)::VARCHAR AS same FROM t, (SELECT ${row}) s`)).toEqual(["{'same': true}"]);
});

it("writes physical names and field ids at every depth, and statistics under them", async () => {
  const struct = (...fields: StructType["fields"]): StructType => ({ kind: "struct", fields });
  const field = (name: string, type: DataType) => ({ name, type, nullable: true, metadata: {} });
  const point = struct(field("x y", { kind: "long" }));
  const schema = struct(
    field("Key Id", { kind: "long" }),
    field("s", point),
    field("l", { kind: "array", element: point, containsNull: true }),
    field("m", { kind: "map", key: { kind: "string" }, value: point, valueContainsNull: true }),
  );
  const table = await makeTable(schema, { configuration: { "delta.columnMapping.mode": "name" } });
  await table.append({
    query: `SELECT 1::BIGINT AS "Key Id", {'x y': 2::BIGINT} AS s, [{'x y': 3::BIGINT}] AS l, MAP {'k': {'x y': 4::BIGINT}} AS m`,
  });
  expect(await table.rows()).toEqual(["{'Key Id': 1, 's': {'x y': 2}, 'l': [{'x y': 3}], 'm': {k={'x y': 4}}}"]);
  const { files, schema: mapped } = await table.snapshot();
  const marks = (f: StructType["fields"][number]) => [
    f.metadata["delta.columnMapping.physicalName"],
    f.metadata["delta.columnMapping.id"],
  ];
  const wanted: unknown[] = [];
  for (const top of mapped.fields) {
    wanted.push(marks(top));
    const inner = top.type.kind === "array" ? top.type.element : top.type.kind === "map" ? top.type.value : top.type;
    if (inner.kind === "struct") wanted.push(...inner.fields.map(marks));
  }
  const inFile = await table.connection.runAndReadAll(
    `SELECT name, field_id::INTEGER FROM parquet_schema('${join(table.location, files[0]?.path ?? "")}') WHERE field_id IS NOT NULL`,
  );
  expect(inFile.getRows()).toEqual(wanted);
  const key = String(marks(mapped.fields[0] ?? field("", { kind: "long" }))[0]);
  expect(JSON.parse(files[0]?.stats ?? "{}")).toMatchObject({
    numRecords: 1,
    minValues: { [key]: 1 },
    maxValues: { [key]: 1 },
  });
});

it("splits rows into files of about the target size, each about a range of the order", async () => {
  const table = await makeTable(schemaOf("id long, v string"), { configuration: { "delta.targetFileSize": "2mb" } });
  const layout = fileLayout(await table.snapshot());
  const query = "SELECT (i * 7919) % 1000000 AS id, md5(i::VARCHAR) AS v FROM range(1000000) r(i)";
  for (const options of [{}, { rowsPerFile: 250_000 }]) {
    const written = await writeFiles(table.connection, layout, query, { orderBy: ["q.id"], ...options });
    const ranges = written.map(
      ({ stats: { columns } }) => [Number(columns.get('"id"')?.min), Number(columns.get('"id"')?.max)] as const,
    );
    expect(written.length).toBeGreaterThan(2);
    expect(written.reduce((sum, { stats }) => sum + stats.numRecords, 0)).toBe(1_000_000);
    // DuckDB's threads swap row groups where a file ends and the next begins; without order each would span all rows.
    expect(ranges.reduce((sum, [low, high]) => sum + high - low, 0)).toBeLessThan(2_000_000);
  }
});

it("uses no encoding that Spark 4.2 or delta-rs 1.6 cannot read or skip", async () => {
  const table = await makeTable(schemaOf("id long, v string, d double"));
  const query = "SELECT i::BIGINT AS id, md5(i::VARCHAR) AS v, random() AS d FROM range(70000) r(i)";
  const [written] = await writeFiles(table.connection, fileLayout(await table.snapshot()), query);
  const path = join(table.location, written?.file.path ?? "");
  const found = await table.connection.runAndReadAll(`SELECT DISTINCT encodings FROM parquet_metadata('${path}')`);
  expect(found.getRows()).toEqual([["PLAIN"]]);
});

it("refuses rows of a table of partition columns alone", async () => {
  const table = await makeTable(schemaOf("p string, q string"), { partitionColumns: ["p", "q"] });
  await expect(table.append({ query: "SELECT 'a' AS p, 'b' AS q" })).rejects.toMatchObject({
    code: "DELTA_NON_PARTITION_COLUMN_ABSENT",
  });
  expect(readdirSync(table.location)).toEqual(["_delta_log"]);
});

it("gives columns that the source of an append lacks NULL, and refuses it where that may not be", async () => {
  const table = await makeTable(schemaOf("id long!, v string"));
  await table.append({ query: "SELECT 1::BIGINT AS id" });
  expect(await table.rows()).toEqual(["{'id': 1, 'v': NULL}"]);
  await expect(table.append({ query: "SELECT 'x' AS v" })).rejects.toMatchObject({
    code: "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
  });
  expect((await table.snapshot()).files).toHaveLength(1);
});

it("leaves no file where there is no row, or where the query fails, in partitions either", async () => {
  const table = await makeTable(schemaOf("id long, p string"), { partitionColumns: ["p"] });
  const layout = fileLayout(await table.snapshot());
  expect(await writeFiles(table.connection, layout, "SELECT 1 AS id, 'a' AS p WHERE false")).toEqual([]);
  const failing = "SELECT CASE WHEN i = 400000 THEN error('no') ELSE i END AS id, i % 3 AS p FROM range(500000) r(i)";
  await expect(writeFiles(table.connection, layout, failing)).rejects.toThrow("no");
  const left = readdirSync(table.location, { recursive: true }).filter((name) => String(name).endsWith(".parquet"));
  expect(left).toEqual([]);
});

describe("rules of the table", () => {
  const rules = { configuration: { "delta.constraints.positive": "amount > 0 AND id IS NOT NULL" } };

  it("are enforced on new rows, with the rule, the number of rows and one of them", async () => {
    const table = await makeTable(schemaOf("id long!, amount integer"), { ...rules, evaluator: sparkEvaluator });
    const version = (await table.snapshot()).version;
    await table.append({ query: "SELECT 1 AS id, 5 AS amount" });
    await expect(table.append({ query: "SELECT i AS id, i - 2 AS amount FROM range(4) r(i)" })).rejects.toMatchObject({
      code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
      message: expect.stringMatching(/positive.*3 rows.*'amount': -2/s),
    });
    await expect(table.append({ query: "SELECT NULL AS id, 1 AS amount" })).rejects.toMatchObject({
      code: "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    });
    // NULL is not TRUE.
    await expect(table.update({ set: { amount: "NULL" } })).rejects.toMatchObject({
      code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    });
    expect((await table.snapshot()).version).toBe(version + 1n);
    expect(await table.rows()).toEqual(["{'id': 1, 'amount': 5}"]);
    expect(readdirSync(table.location).filter((name) => name.endsWith(".parquet"))).toHaveLength(1);
    // Deleting breaks no rule.
    expect(await table.delete()).toMatchObject({ rows: { deleted: 1 } });
  });

  it("that cannot be evaluated are refused with the rule, before anything is written", async () => {
    for (const evaluator of [undefined, sparkEvaluator]) {
      const constraint = { "delta.constraints.odd": "crc32(id) > 5" };
      const table = await makeTable(schemaOf("id long"), {
        configuration: constraint,
        ...(evaluator && { evaluator }),
      });
      await expect(table.append({ query: "SELECT 1 AS id" })).rejects.toMatchObject({
        code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
        message: expect.stringContaining("crc32(id) > 5"),
      });
    }
  });

  it("give generated and default columns their values, also when what they depend on changes", async () => {
    const schema = schemaOf("id long, twice long, v string");
    const [id, twice, v] = schema.fields;
    if (id === undefined || twice === undefined || v === undefined) throw new Error("unreachable");
    const fields = [
      id,
      { ...twice, metadata: { "delta.generationExpression": "id * 2" } },
      { ...v, metadata: { CURRENT_DEFAULT: "upper('new')" } },
    ];
    const table = await makeTable(
      { kind: "struct", fields },
      { configuration: { "delta.feature.allowColumnDefaults": "supported" }, evaluator: sparkEvaluator },
    );
    await table.append({ query: "SELECT 1::BIGINT AS id" });
    await table.append({ query: "SELECT 2::BIGINT AS id, 4::BIGINT AS twice, NULL AS v" });
    await expect(table.append({ query: "SELECT 3::BIGINT AS id, 7::BIGINT AS twice" })).rejects.toMatchObject({
      code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
    });
    await table.update({ set: { id: "t.id + 10" }, where: "t.id = 1" });
    expect(await table.rows()).toEqual(["{'id': 2, 'twice': 4, 'v': NULL}", "{'id': 11, 'twice': 22, 'v': NEW}"]);
  });
});

it("writes what surely fits into one file as one file, in the order of the rows", async () => {
  const table = await makeTable(schemaOf("id long"));
  const { connection, location } = table;
  const layout = fileLayout(await table.snapshot());
  const rows = "SELECT range AS id FROM range(400000)";
  const [file, ...others] = await writeFiles(connection, layout, rows, { bytes: 1_000_000 });
  expect([others.length, file?.stats.numRecords]).toEqual([0, 400_000]);
  const read = await connection.runAndReadAll(
    `SELECT count(*) FILTER (id = file_row_number)::INTEGER FROM read_parquet('${location}/${file?.file.path}')`,
  );
  expect(read.getRows()).toEqual([[400_000]]);
  expect(await writeFiles(connection, layout, `${rows} WHERE false`, { bytes: 1 })).toEqual([]);
  await expect(writeFiles(connection, layout, "SELECT error('no')::BIGINT AS id", { bytes: 1 })).rejects.toThrow("no");
  expect(readdirSync(location).sort()).toEqual(["_delta_log", file?.file.path]);
});

it.each(["double", "float"])(
  "keeps the sign of a zero of %s among others, which a dictionary would make one",
  async (type) => {
    const table = await makeTable(schemaOf(`id long, d ${type}`));
    const zeros = `SELECT range AS id, (CASE WHEN range = 7 THEN '-0.0' ELSE '0.0' END)::${type} AS d FROM range(100)`;
    await table.append({ query: zeros });
    expect(await table.rows("SELECT id FROM t WHERE signbit(d)")).toEqual(["{'id': 7}"]);
    expect(readdirSync(table.location).filter((name) => name.endsWith(".parquet"))).toHaveLength(1);
  },
);

it("keeps the sign of zeros within arrays and structs", async () => {
  const double = { kind: "double" } as const;
  const field = (name: string, type: DataType) => ({ name, type, nullable: true, metadata: {} });
  const point: StructType = { kind: "struct", fields: [field("x", double)] };
  const list: DataType = { kind: "array", element: double, containsNull: true };
  const table = await makeTable({ kind: "struct", fields: [field("l", list), field("p", point)] });
  const value = "(CASE WHEN range = 7 THEN '-0.0' ELSE '0.0' END)::DOUBLE";
  await table.append({ query: `SELECT [${value}] AS l, {'x': ${value}} AS p FROM range(100)` });
  expect(await table.rows("SELECT count(*) AS n FROM t WHERE signbit(l[1]) AND signbit(p.x)")).toEqual(["{'n': 1}"]);
});
