import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { generateInMemory } from "../../packages/ingot/src/sap/generate/in-memory.js";
import { startIngot } from "./child.js";
import { ingot, projectMaker, rows, run, SPEC, writeProject } from "./cli.js";
import { dieIn } from "./die-after.js";
import { OdpServer, type ServedRow } from "./odp-server.js";

// `ingot extract` from a service that behaves as SAP's gateway does, and the tables that are made of what lands.

const project = projectMaker();
const ENV = { SAP_USER: "INGOT", SAP_PASSWORD: "geheim" };

beforeAll(() => {
  // For commands in processes of their own.
  Object.assign(process.env, ENV);
});

/** The declarations of docs/extract.md; the first one takes fewer columns. */
const IN_SQL = /```sql\n([\s\S]*?)```/.exec(readFileSync("docs/extract.md", "utf8"))?.[1] ?? "";
const DEFINITIONS = `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";

sapTable("VBAP", {
  from: readFiles("landing/VBAP", { format: "json" }),
  changeFormat: "odq",
  sequenceBy: ["_extract", "_page", "_row"],
  columns: "typed",
  columnList: ["VBELN", "POSNR", "ERDAT", "KWMENG"],
});
`;

const spec = (url: string, more = "") => `${SPEC}sources:
  ERP: { release: ecc, client: "100", dates: odata2 }
extracts:
  orders:
    service: ${url}
    entitySet: Facts
    landing: landing/VBAP
    client: "100"
    user: SAP_USER
    password: SAP_PASSWORD
    pageSize: 50
    table: VBAP
${more}`;

const open = (server: OdpServer, more = "") =>
  project({ "ingot.yml": spec(server.url, more), "transformations/t.ts": DEFINITIONS });

async function extract(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await ingot(["extract", ...args], { cwd, env: ENV });
  return { code, stdout, stderr };
}

async function extracted(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await extract(cwd, ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Rows of the landing folder, in the order in which they count. */
function landed(cwd: string): ServedRow[] {
  const files = readdirSync(join(cwd, "landing/VBAP")).filter((name) => name.endsWith(".json"));
  return files.sort().flatMap((name) =>
    readFileSync(join(cwd, "landing/VBAP", name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ServedRow),
  );
}

/** Items of orders and their changes, as a service has them: dates in the form of OData, and no client. */
async function generated() {
  const { files } = await generateInMemory({
    tables: ["VBAP"],
    changes: "odq",
    sequence: false,
    format: "json",
    batches: 6,
    days: 6,
  });
  const read = (path: string) => lines(files.get(path) ?? "").map(served);
  const batches = [...files.keys()].filter((path) => path.startsWith("cdc/VBAP/")).sort();
  return {
    initial: read("initial/VBAP.json"),
    deltas: batches.map(read),
    truth: lines(files.get("truth/VBAP.json") ?? ""),
  };
}

const lines = (text: string) =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ServedRow]));

function served({ MANDT: _, ...row }: ServedRow): ServedRow {
  const date = (text: string) => (/^0*$/.test(text) ? null : `/Date(${Date.parse(isoDate(text))})/`);
  return { ...row, ERDAT: date(row["ERDAT"] ?? ""), AEDAT: date(row["AEDAT"] ?? "") };
}

const isoDate = (text: string) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

const silver = (cwd: string) => rows(cwd, "SELECT vbeln, posnr, erdat, kwmeng FROM vbap_cur ORDER BY 1, 2");

/** What silver must be, from rows as SAP stores them. */
const asSilver = (all: readonly ServedRow[]) =>
  all
    .map(({ VBELN, POSNR, ERDAT, KWMENG }) => ({
      vbeln: VBELN?.padStart(10, "0"),
      posnr: POSNR,
      erdat: isoDate(ERDAT ?? ""),
      kwmeng: KWMENG,
    }))
    .sort((a, b) => (`${a.vbeln}${a.posnr}` < `${b.vbeln}${b.posnr}` ? -1 : 1));

const serverOf = (all: readonly ServedRow[]) => new OdpServer(all, { key: ["VBELN", "POSNR"], pageSize: 50 }).start();

const item = (VBELN: string, KWMENG: string, mode = "", counter = "1"): ServedRow => ({
  VBELN,
  POSNR: "000010",
  ERDAT: "/Date(1767225600000)/",
  KWMENG,
  ODQ_CHANGEMODE: mode,
  ODQ_ENTITYCNTR: counter,
});

describe("from a service to silver", () => {
  it("an initial load, deltas, empty ones between them: silver is the truth", async () => {
    const { initial, deltas, truth } = await generated();
    expect(deltas.length).toBeGreaterThanOrEqual(3);
    const server = await serverOf(initial);
    const cwd = open(server);
    writeProject(cwd, { "transformations/items.sql": IN_SQL });
    expect(await extracted(cwd)).toMatch(/^orders: loaded: \d+ rows, \d+ pages, \d+ requests, .*; token D\d+_\d+\n$/);
    await run(cwd);
    for (const delta of deltas) {
      server.change(delta);
      expect(await extracted(cwd)).toContain(`orders: changes: ${delta.length} row`);
      expect(await extracted(cwd)).toContain("orders: nothing new: 0 rows");
      await run(cwd);
    }
    expect(await silver(cwd)).toEqual(asSilver(truth));
    expect(await rows(cwd, "SELECT VBELN, POSNR, KWMENG FROM items ORDER BY 1, 2")).toEqual(
      truth
        .map(({ VBELN, POSNR, KWMENG }) => ({ VBELN, POSNR, KWMENG }))
        .sort((a, b) => (`${a.VBELN}${a.POSNR}` < `${b.VBELN}${b.POSNR}` ? -1 : 1)),
    );
    expect(landed(cwd)).toHaveLength(initial.length + deltas.flat().length);
    // Nothing of the login is in any file of the project.
    const all = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of all)
      expect(readFileSync(join(parentPath, name)).includes("geheim"), name).toBe(false);
  }, 120_000);

  it("a process that is killed, at every point: the next one has each row once", async () => {
    const server = await serverOf([item("1", "1.000"), item("2", "2.000")]);
    const cwd = open(server);
    const points = [
      ["_staging/.*\\.json$", 1],
      ["_extracts/orders/position-\\d+\\.json$", 1],
      ["landing/VBAP/\\d+-\\d+\\.json$", 1],
    ] as const;
    // The load, too.
    await dieIn(["extract"], points[0][0], cwd);
    await extracted(cwd);
    let number = 2;
    for (const [point, count] of points) {
      number += 1;
      server.change([item(String(number), "1.000", "C")]);
      await dieIn(["extract"], point, cwd, count);
      server.change([item("1", `${number}.000`, "U", "-1"), item("1", `${number}.000`, "U")]);
      await extracted(cwd);
      await extracted(cwd);
    }
    await run(cwd);
    const quantities = { 1: "5.000", 2: "2.000", 3: "1.000", 4: "1.000", 5: "1.000" };
    const expected = Object.entries(quantities).map(([number, quantity]) => ({
      ...item(number, quantity),
      ERDAT: "20260101",
    }));
    expect(await silver(cwd)).toEqual(asSilver(expected));
    expect(landed(cwd)).toHaveLength(2 + 3 * 3);
    expect(readdirSync(join(cwd, "landing/VBAP/_staging"))).toEqual([]);
  }, 120_000);

  it("a token that ran out is refused; --restart finds what was deleted meanwhile", async () => {
    const server = await serverOf([item("1", "1.000"), item("2", "2.000"), item("3", "3.000")]);
    const cwd = open(server);
    await extracted(cwd);
    await run(cwd);
    server.change([item("4", "4.000", "C"), item("3", "3.000", "D", "-1")]);
    await extracted(cwd);
    server.expire();
    server.change([item("2", "2.000", "D", "-1"), item("5", "5.000", "C")]);
    const refused = await extract(cwd);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("error[EXTRACT_TOKEN_EXPIRED]");
    expect(refused.stderr).toContain("ingot extract orders --restart");
    expect(await extracted(cwd, "--restart")).toContain("orders: loaded: 3 rows, 1 key gone");
    expect(server.asked.some((path) => path.startsWith("TerminateDeltasForFacts"))).toBe(true);
    await run(cwd);
    expect((await silver(cwd)).map(({ vbeln }) => vbeln)).toEqual(["1", "4", "5"].map((n) => n.padStart(10, "0")));
    server.change([item("1", "9.000", "U")]);
    await extracted(cwd);
    await run(cwd);
    expect((await silver(cwd))[0]).toMatchObject({ kwmeng: "9.000" });
  }, 60_000);

  it("without the landed files --restart is refused: it could not tell what is gone", async () => {
    const server = await serverOf([item("1", "1.000")]);
    const cwd = open(server);
    await extracted(cwd);
    rmSync(join(cwd, "landing/VBAP/0000000001-000001.json"));
    const { code, stderr } = await extract(cwd, "--restart");
    expect([code, stderr]).toEqual([1, expect.stringContaining("error[EXTRACT_LANDING_CHANGED]")]);
    // Its subscription is still there.
    await extracted(cwd);
  });

  it("another selection than that of the token is refused, by what changed", async () => {
    const server = await serverOf([item("1", "1.000"), item("2", "2.000")]);
    const cwd = open(server);
    await extracted(cwd);
    writeFileSync(join(cwd, "ingot.yml"), spec(server.url, "    filter: VBELN eq '1'\n"));
    const asked = server.asked.length;
    const { code, stderr } = await extract(cwd);
    expect(code).toBe(3);
    expect(stderr).toContain("error[EXTRACT_SELECTION_CHANGED]");
    expect(stderr).toContain("`filter` was not there, and is \"VBELN eq '1'\"");
    expect(server.asked).toHaveLength(asked);
    await extracted(cwd, "--restart");
    await extracted(cwd);
  });

  it("one reader has a subscription", async () => {
    const server = await serverOf([item("1", "1.000")]);
    const cwd = open(server);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.fault = (path, response) => {
      server.fault = () => false;
      void held.then(() => server.again(path, response));
      return true;
    };
    const first = startIngot(["extract"], cwd);
    await expect.poll(() => server.asked.length).toBe(1);
    const { code, stderr } = await extract(cwd);
    expect([code, stderr]).toEqual([7, expect.stringContaining("Another reader of the extract orders is under way")]);
    release();
    expect((await first.done).code).toBe(0);
    expect(landed(cwd)).toHaveLength(1);
  }, 60_000);
});

describe("a service that fails", () => {
  it("is asked again where that may help, and its error told where not", async () => {
    const server = await serverOf([item("1", "1.000")]);
    const cwd = open(server);
    let left = 1;
    server.fault = (_, response) => {
      if (left === 0) return false;
      left -= 1;
      response.writeHead(503, { "retry-after": "0" });
      response.end("<html><head><title>Service Unavailable</title></head></html>");
      return true;
    };
    expect(await extracted(cwd)).toContain("2 requests, 1 retry");
    server.fault = (_, response) => {
      response.writeHead(500, { "content-type": "text/html" });
      response.end("<html><head><title>Application Server Error</title></head></html>");
      return true;
    };
    const { code, stderr } = await extract(cwd);
    expect(code).toBe(6);
    expect(stderr).toContain('HTTP 500: a web page, "Application Server Error"');
  });

  it("refuses a wrong password once: SAP locks who tries again", async () => {
    const server = await serverOf([item("1", "1.000")]);
    const cwd = open(server);
    const { code, stderr } = await ingot(["extract"], { cwd, env: { ...ENV, SAP_PASSWORD: "falsch" } });
    expect(code).toBe(6);
    expect(stderr).toContain("error[EXTRACT_NOT_AUTHORIZED]");
    expect(stderr).not.toContain("falsch");
    expect(server.asked).toHaveLength(1);
  });

  it("needs what the environment lacks, or an extract that the spec declares", async () => {
    const server = await serverOf([]);
    const cwd = open(server);
    const { code, stderr } = await ingot(["extract"], { cwd, env: {} });
    expect([code, stderr]).toEqual([3, expect.stringContaining("needs the environment variable SAP_USER")]);
    const unknown = await extract(cwd, "ordres");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Did you mean orders?")]);
  });
});
