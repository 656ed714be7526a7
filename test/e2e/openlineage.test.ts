import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesBelow, ingot, projectMaker, run, SPEC } from "./cli.js";

const project = projectMaker();

interface Dataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets?: Record<string, Record<string, unknown>>;
  readonly outputFacets?: Record<string, Record<string, unknown>>;
}
interface Lineage {
  readonly eventType: string;
  readonly eventTime: string;
  readonly producer: string;
  readonly schemaURL: string;
  readonly run: { readonly runId: string; readonly facets: Record<string, Record<string, unknown>> };
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: Record<string, unknown> };
  readonly inputs?: readonly Dataset[];
  readonly outputs?: readonly Dataset[];
}

const SQL = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, amount DECIMAL(10,2), note STRING');
CREATE TEMPORARY VIEW cleaned AS SELECT id, amount * 2 AS twice, note FROM bronze WHERE note IS NOT NULL;
CREATE MATERIALIZED VIEW gold AS SELECT note, sum(twice) AS total FROM cleaned GROUP BY note;`;

const shop = (openlineage: string, sql = SQL) =>
  project({
    "ingot.yml": `${SPEC}openlineage: ${openlineage}\n`,
    "transformations/all.sql": sql,
    "landing/1.csv": "id,amount,note\n1,1.5,x\n2,2.5,x\n",
  });
const lineageOf = (folder: string): Lineage[] =>
  readFileSync(`${folder}/lineage.ndjson`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Lineage);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What the published schema of OpenLineage 2-0-2 requires of a RunEvent, written down by hand. */
function expectShape(event: Lineage): void {
  expect(["START", "COMPLETE", "ABORT", "FAIL"]).toContain(event.eventType);
  expect(event.eventTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(URL.canParse(event.producer)).toBe(true);
  expect(event.schemaURL).toBe("https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent");
  expect(event.run.runId).toMatch(UUID);
  expect(event.job).toMatchObject({ namespace: expect.any(String), name: expect.any(String) });
  const datasets = [...(event.inputs ?? []), ...(event.outputs ?? [])];
  for (const { namespace, name } of datasets) expect([typeof namespace, typeof name]).toEqual(["string", "string"]);
  const facets = [
    ...Object.values(event.run.facets),
    ...Object.values(event.job.facets),
    ...datasets.flatMap((d) => [...Object.values(d.facets ?? {}), ...Object.values(d.outputFacets ?? {})]),
  ] as Record<string, unknown>[];
  for (const facet of facets) {
    expect(URL.canParse(String(facet["_producer"]))).toBe(true);
    expect(facet["_schemaURL"]).toMatch(
      /^https:\/\/openlineage\.io\/spec\/facets\/\d-\d-\d\/(\w+)\.json#\/\$defs\/\1$/,
    );
  }
}

describe("OpenLineage", () => {
  it("tells the pipeline and each flow below it, what they read and fill, and what columns are made of", async () => {
    const folder = shop("{ file: lineage.ndjson, namespace: prod }");
    await run(folder);
    const all = lineageOf(folder);
    for (const event of all) expectShape(event);
    expect(all.map(({ eventType, job }) => `${eventType} ${job.namespace} ${job.name}`)).toEqual([
      "START prod test",
      "START prod test.spark_catalog.default.bronze",
      "COMPLETE prod test.spark_catalog.default.bronze",
      "START prod test.spark_catalog.default.gold",
      "COMPLETE prod test.spark_catalog.default.gold",
      "COMPLETE prod test",
    ]);
    const [began, , bronze, , gold, ended] = all;
    expect(ended?.run.runId).toBe(began?.run.runId);
    expect(bronze?.run.facets["parent"]).toMatchObject({
      run: { runId: began?.run.runId },
      job: { namespace: "prod", name: "test" },
    });
    expect(bronze?.inputs).toMatchObject([
      {
        namespace: "file",
        name: `${folder}/landing`,
        facets: { schema: { fields: [{ name: "id", type: "bigint" }, { type: "decimal(10,2)" }, { name: "note" }] } },
      },
    ]);
    const table = (name: string) => ({ namespace: "file", name: `${folder}/storage/warehouse/default/${name}` });
    expect(bronze?.outputs).toMatchObject([
      { ...table("bronze"), outputFacets: { outputStatistics: { rowCount: 2, size: expect.any(Number) } } },
    ]);
    const field = (name: string, type: string, subtype: string) => ({
      ...table("bronze"),
      field: name,
      transformations: [{ type, subtype, description: "", masking: false }],
    });
    expect(gold?.inputs).toMatchObject([table("bronze")]);
    expect(gold?.outputs?.[0]).toMatchObject({
      ...table("gold"),
      facets: {
        symlinks: { identifiers: [{ name: "spark_catalog.default.gold", type: "TABLE" }] },
        columnLineage: {
          fields: {
            note: { inputFields: [field("note", "DIRECT", "IDENTITY")] },
            total: { inputFields: [field("amount", "DIRECT", "AGGREGATION")] },
          },
          dataset: [field("note", "INDIRECT", "FILTER")],
        },
      },
    });
  });

  it("a flow that fails is a FAIL, with the code of its error and nothing of its rows", async () => {
    const folder = shop(
      "{ file: lineage.ndjson }",
      SQL.replace("bronze AS", "bronze (CONSTRAINT r EXPECT (id > 1) ON VIOLATION FAIL UPDATE) AS"),
    );
    expect((await ingot(["run"], { cwd: folder })).code).toBe(4);
    const all = lineageOf(folder);
    for (const event of all) expectShape(event);
    const failed = all.filter(({ eventType }) => eventType === "FAIL");
    expect(failed.map(({ job, run: { facets } }) => [job.name, facets["errorMessage"]?.["message"]])).toEqual([
      ["test.spark_catalog.default.bronze", "EXPECTATION_VIOLATION"],
      ["test", "EXPECTATION_VIOLATION"],
    ]);
    expect(failed[0]?.outputs?.[0]?.outputFacets).toBeUndefined();
  });

  it("is posted to a server, whose token is in the environment alone; what it does not take comes later", async () => {
    const heard: { event: Lineage; token: string | undefined }[] = [];
    let isDown = true;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        if (!isDown) heard.push({ event: JSON.parse(body) as Lineage, token: request.headers.authorization });
        response.writeHead(isDown ? 503 : 201).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/lineage`;
    const folder = shop(`{ url: "${url}", token: OL_TOKEN }`);
    const env = { OL_TOKEN: "a-token" };
    const down = await ingot(["run"], { cwd: folder, env });
    expect(down.code).toBe(0);
    expect(down.stderr).toContain("OpenLineage could not be told: HTTP 503; 6 events wait for the next run.");
    isDown = false;
    writeFileSync(`${folder}/landing/2.csv`, "id,amount,note\n3,1,y\n");
    await ingot(["run"], { cwd: folder, env });
    expect(heard.map(({ event }) => event.eventType)).toEqual([
      ...["START", "START", "COMPLETE", "START", "COMPLETE", "COMPLETE"],
      ...["START", "START", "COMPLETE", "START", "COMPLETE", "COMPLETE"],
    ]);
    expect(new Set(heard.map(({ token }) => token))).toEqual(new Set(["Bearer a-token"]));
    expect(filesBelow(`${folder}/storage/_openlineage`)).toEqual([]);
    expect((await ingot(["run"], { cwd: folder })).stderr).toContain("needs the environment variable OL_TOKEN");
  });
});
