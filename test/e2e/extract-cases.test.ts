import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ingot, projectMaker, SPEC } from "./cli.js";
import { json, refuse, serve } from "./odp-server.js";

// The cases about reading SAP's services, each with the answer that stands beside it, through `ingot extract`.

const project = projectMaker();
const CASES = "test/fixtures/cases";

const page = (id: string, name: string) => readFileSync(join(CASES, id, `input.${name}.json`), "utf8");
const check = <T>(id: string) =>
  (JSON.parse(readFileSync(join(CASES, id, "expected.json"), "utf8")) as { check: T }).check;

interface Done {
  readonly rows: number;
  readonly requests: number;
  readonly from?: string;
  readonly token?: string;
}

/** A project with one extract over a service. */
function open(url: string, set: string, more = "keys: [KEY]") {
  const cwd = project({
    "transformations/none.sql": "",
    "ingot.yml": `${SPEC}extracts:\n  facts:\n    {service: "${url}", entitySet: ${set}, landing: landing/facts, ${more}}\n`,
  });
  const extract = async (...args: string[]): Promise<{ code: number; stderr: string; done?: Done; error?: string }> => {
    const { code, stdout, stderr } = await ingot(["extract", "--json", ...args], { cwd });
    const told = JSON.parse(stdout) as { extracts?: Done[]; errors?: { code: string }[] };
    const [done, error] = [told.extracts?.[0], told.errors?.[0]?.code];
    return { code, stderr, ...(done === undefined ? {} : { done }), ...(error === undefined ? {} : { error }) };
  };
  return { cwd, extract };
}

/** All rows that have landed, in the order of the files. */
function landed(cwd: string): Record<string, string | null>[] {
  const folder = join(cwd, "landing/facts");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, string | null>);
  });
}

it("V26: a failed page leaves position and landing folder as they were; repeated, each row lands once", async () => {
  const wanted = check<{ after_run_1: { position: string }; after_run_2: { position: string; keys: string[] } }>("V26");
  let isBroken = true;
  const service = await serve((path, _, response) => {
    if (path.includes("skiptoken"))
      return isBroken ? refuse(response, 500, "Short dump") : json(response, page("V26", "page2"));
    if (path.includes("!deltatoken='D1'")) return json(response, page("V26", "page1"));
    return json(response, `{"d":{"results":[],"__delta":"Facts?!deltatoken='D1'"}}`);
  });
  const { cwd, extract } = open(service.url, "Facts");
  expect((await extract()).done?.token).toBe(wanted.after_run_1.position);
  expect(await extract()).toMatchObject({ code: 6, error: "EXTRACT_REQUEST_FAILED" });
  expect(readdirSync(join(cwd, "landing/facts/_staging"))).toEqual([]);
  isBroken = false;
  expect((await extract()).done).toMatchObject({
    from: wanted.after_run_1.position,
    token: wanted.after_run_2.position,
  });
  expect(landed(cwd).map(({ KEY }) => KEY)).toEqual(wanted.after_run_2.keys);
});

it("V27: a token in the place of a link to the next page is a token", async () => {
  const wanted = check<{ rows: number; requests: number; position: string }>("V27");
  const service = await serve((path, _, response) => {
    if (path.includes("skiptoken")) return json(response, page("V27", "page2"));
    if (path.includes("!deltatoken"))
      return json(response, { d: { results: [], __next: `Facts?!deltatoken=${wanted.position}` } });
    return json(response, page("V27", "page1"));
  });
  const { cwd, extract } = open(service.url, "Facts");
  const { rows, requests, position } = wanted;
  expect((await extract()).done).toMatchObject({ rows, requests, token: position });
  expect(landed(cwd).map(({ KEY, V }) => `${KEY}${V}`)).toEqual(["1a", "2b", "3c"]);
  expect((await extract()).done).toMatchObject({ rows: 0, requests: 1, from: position, token: position });
  expect(service.asked.at(-1)).toBe(`Facts?$format=json&!deltatoken=${position}`);
});

it.each(["v2", "v4"] as const)(
  "V28: only a page without a link ends a set of %s, and its count is compared",
  async (version) => {
    const wanted = check<{ v2_rows: number; v4_rows: number; count: number }>("V28");
    let count = wanted.count;
    const service = await serve((path, _, response) => {
      if (path.startsWith("S/$count")) return response.end(String(count));
      const number = path.includes("skiptoken=A") ? 2 : path.includes("skiptoken=B") ? 3 : 1;
      return json(response, page("V28", `${version}.page${number}`));
    });
    const { cwd, extract } = open(service.url, "S", "changes: none, keys: [ID]");
    expect((await extract()).done?.rows).toBe(wanted[`${version}_rows`]);
    expect(landed(cwd).map(({ ID }) => ID)).toEqual(["1", "2", "3", "4"]);
    count += 1;
    expect(await extract()).toMatchObject({ code: 1, error: "EXTRACT_COUNT_DIFFERS" });
    expect(landed(cwd)).toHaveLength(wanted.count);
  },
);

it("V29: a forced full load without a token takes that of the list, so that changes go on", async () => {
  const wanted = check<{ rows: number; position: string; next_read_rows: number }>("V29");
  let list = page("V29", "deltalinks");
  const service = await serve((path, _, response) => {
    if (path.startsWith("DeltaLinksOfFacts")) return json(response, list);
    const [, token] = /!deltatoken='(.*)'/.exec(path) ?? [];
    return json(
      response,
      token === undefined ? page("V29", "full") : { d: { results: [], __delta: `Facts?!deltatoken='${token}'` } },
    );
  });
  const { cwd, extract } = open(service.url, "Facts");
  expect((await extract("--full")).done).toMatchObject({ rows: wanted.rows, token: wanted.position });
  for (const _ of [1, 2])
    expect((await extract()).done).toMatchObject({ rows: wanted.next_read_rows, from: wanted.position });
  const given = await extract("--from-token", "D41");
  expect(given.done?.from).toBe("D41");
  expect(given.stderr).toContain("D41");
  const { stdout } = await ingot(["events"], { cwd });
  expect(stdout).toContain("begins behind the token D41, which was given");
  // Where the list has none of an initial load, changes could not go on.
  list = `{"d":{"results":[{"DeltaToken":"D41","IsInitialLoad":false}]}}`;
  const lost = await extract("--full");
  expect(lost).toMatchObject({ code: 1, error: "EXTRACT_DELTA_LOST" });
  expect(lost.stderr).toContain("Delta mode of facts is lost");
});

/** A set without change tracking, from which key 1 goes, or into which key 0 comes, behind the first page. */
async function shifting(how: "delete" | "insert") {
  let keys = ["1", "2", "3", "4", "5"];
  let pages = 0;
  return serve((path, _, response) => {
    if (path.includes("$count")) return response.end(String(keys.length));
    const [, behind] = /KEY gt '(\d+)'/.exec(path) ?? [];
    const [, offset = "0"] = /skiptoken=(\d+)/.exec(path) ?? [];
    const isByKey = path.includes("$orderby");
    const from = isByKey ? keys.filter((key) => behind === undefined || key > behind) : keys.slice(Number(offset));
    const results = from.slice(0, 2).map((KEY) => ({ KEY }));
    const next = !isByKey && from.length > 2 ? { __next: `S?$skiptoken=${Number(offset) + 2}` } : {};
    pages += 1;
    if (pages === 1) keys = how === "delete" ? keys.slice(1) : ["0", ...keys];
    return json(response, { d: { results, ...next } });
  });
}

it("V31: a row that a position loses is missed, and none is lost by key", async () => {
  const wanted = check<{ key_paging_rows: string[] }>("V31");
  const byPosition = open((await shifting("delete")).url, "S", "changes: none, keys: [KEY]");
  expect(await byPosition.extract()).toMatchObject({ code: 1, error: "EXTRACT_COUNT_DIFFERS" });
  const service = await shifting("delete");
  const byKey = open(service.url, "S", "changes: none, paging: key, pageSize: 2, keys: [KEY]");
  expect(await byKey.extract()).toMatchObject({ code: 0 });
  expect(landed(byKey.cwd).map(({ KEY }) => KEY)).toEqual(wanted.key_paging_rows);
  expect(service.asked.filter((path) => path.includes("$skip"))).toEqual([]);
  // The next load tells that key 1 is gone.
  await byKey.extract();
  expect(landed(byKey.cwd).at(-1)).toMatchObject({ KEY: "1", ODQ_CHANGEMODE: "D", ODQ_ENTITYCNTR: "-1" });
});

it("V31: a key that comes twice in one load fails it", async () => {
  const { cwd, extract } = open((await shifting("insert")).url, "S", "changes: none, keys: [KEY]");
  expect(await extract()).toMatchObject({ code: 1, error: "EXTRACT_DUPLICATE_KEY" });
  expect(readdirSync(join(cwd, "landing/facts"))).toEqual(["_staging"]);
});
