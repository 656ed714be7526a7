import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, SPEC } from "./cli.js";
import { json, serve } from "./odp-server.js";

// Answers that are no data, or lead elsewhere: told, and nothing lands.

const project = projectMaker();
const ENV = { SAP_USER: "INGOT", SAP_PASSWORD: "geheim", CLIENT: "c", SECRET: "hush" };

const open = (url: string, more = "") =>
  project({
    "transformations/none.sql": "",
    "ingot.yml": `${SPEC}extracts:\n  s: {service: "${url}", entitySet: S, landing: landing/s, keys: [ID]${more}}\n`,
  });

async function extract(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await ingot(["extract", "--json", ...args], { cwd, env: ENV });
  const told = JSON.parse(stdout) as { errors?: { code: string; message: string }[]; extracts?: { rows: number }[] };
  return { code, stderr, error: told.errors?.[0], done: told.extracts?.[0] };
}

function landed(cwd: string): Record<string, string | null>[] {
  const folder = join(cwd, "landing/s");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string | null>),
  );
}

describe("an answer that is no data", () => {
  it.each([
    ["is cut off", '{"d":{"results":[{"ID":"1"}', "EXTRACT_PAGE_INVALID", "no JSON, or was cut off"],
    ["is no JSON", "ID\n1\n", "EXTRACT_PAGE_INVALID", "no JSON"],
    ["is a page to log on", "<!DOCTYPE html><html><title>Logon</title></html>", "EXTRACT_PAGE_INVALID", "a web page"],
    ["is other JSON", '{"rows":[]}', "EXTRACT_PAGE_INVALID", "neither OData V2 nor V4"],
    ["is one row", '{"d":{"ID":"1"}}', "EXTRACT_PAGE_INVALID", "no list of rows"],
    ["has a text for a list", '{"d":{"results":"x"}}', "EXTRACT_PAGE_INVALID", "no list of rows"],
    ["has rows that are none", '{"d":{"results":[1]}}', "EXTRACT_PAGE_INVALID", "no object"],
    ["has an object for a value", '{"d":{"results":[{"ID":"1","A":{"b":1}}]}}', "EXTRACT_PAGE_INVALID", "the column A"],
    ["is nested deep", `{"d":{"results":${"[".repeat(200_000)}`, "EXTRACT_PAGE_INVALID", "no JSON"],
    [
      "nests its rows deep",
      `{"d":{"results":[{"ID":${"[".repeat(9e4)}${"]".repeat(9e4)}}]}}`,
      "EXTRACT_PAGE_INVALID",
      "ID",
    ],
    ["links to an object", '{"d":{"results":[],"__next":{}}}', "EXTRACT_PAGE_INVALID", "a link that is no text"],
    ["links to itself", '{"d":{"results":[],"__next":"S?$skiptoken=1"}}', "EXTRACT_PAGE_INVALID", "read before"],
    [
      "has changes without a token",
      '{"d":{"results":[],"__delta":"S?x=1"}}',
      "EXTRACT_PAGE_INVALID",
      "without a token",
    ],
    [
      "links to another host",
      '{"d":{"results":[],"__next":"https://evil.example/S?$skiptoken=1"}}',
      "EXTRACT_LINK_REFUSED",
      "evil.example",
    ],
    ["links with a user", '{"d":{"results":[],"__next":"//u:p@127.0.0.1/S"}}', "EXTRACT_LINK_REFUSED", "leads from"],
    ["has a column of ours", '{"d":{"results":[{"ID":"1","_ROW":"1"}]}}', "EXTRACT_PAGE_INVALID", "column _ROW"],
    ["lacks the key", '{"d":{"results":[{"X":"1"}]}}', "EXTRACT_KEY_MISSING", "lacks ID"],
    ["ends without a token", '{"d":{"results":[{"ID":"1"}]}}', "EXTRACT_DELTA_LOST", "nor does it say that it tracks"],
  ])("%s", async (_, body, code, message) => {
    const service = await serve((path, __, response) =>
      path.startsWith("DeltaLinksOf") ? json(response, { d: { results: [] } }) : json(response, body),
    );
    const cwd = open(service.url);
    const { error } = await extract(cwd);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(landed(cwd)).toEqual([]);
  });

  it("never ends: empty pages, each with another link", async () => {
    let page = 0;
    const service = await serve((_, __, response) =>
      json(response, { d: { results: [], __next: `S?$skiptoken=${++page}` } }),
    );
    const { error } = await extract(open(service.url));
    expect(error).toMatchObject({ code: "EXTRACT_PAGE_INVALID", message: expect.stringContaining("without a row") });
    expect(page).toBeLessThan(200);
  });
});

it("a redirect to another host is not followed, one on the same is", async () => {
  const other = await serve((_, __, response) => json(response, { d: { results: [] } }));
  const service = await serve((path, _, response) => {
    if (path.startsWith("S?")) response.writeHead(302, { location: "/srv/T?moved" }).end();
    else response.writeHead(307, { location: `${other.url}/S` }).end();
  });
  const { error } = await extract(open(service.url, ", user: SAP_USER, password: SAP_PASSWORD"));
  expect(error?.code).toBe("EXTRACT_LINK_REFUSED");
  expect(service.asked).toHaveLength(2);
  expect(other.asked).toEqual([]);
});

it("values land as the service wrote them, numbers with all their digits", async () => {
  const body = `{"@odata.context":"$metadata#S","value":[
    {"@odata.etag":"x","ID":"1","A":12.50,"B":12345678901234567890.123456789,"C":true,"D":null,"E":"\\/Date(-62135596800000)\\/","F":"1e5 \\"x\\" \u2028","G":1e5,"H@odata.type":"#Double","H":-0.0},
    {"@removed":{"reason":"deleted"},"@odata.id":"S('O''Neil%202')"},
    {"@odata.context":"$metadata#S/$deletedEntity","id":"S(ID='3')","reason":"deleted"}],
    "@odata.deltaLink":"S?$deltatoken=abc%3D%3D"}`;
  const service = await serve((_, __, response) => json(response, body, { "preference-applied": "track-changes" }));
  const cwd = open(service.url);
  expect((await extract(cwd)).code).toBe(0);
  const place = (row: number) => ({
    _extract: "0000000001",
    _page: "0000000001",
    _row: String(row).padStart(10, "0"),
    _token: null,
  });
  expect(landed(cwd)).toEqual([
    {
      ...place(1),
      ID: "1",
      A: "12.50",
      B: "12345678901234567890.123456789",
      C: "true",
      D: null,
      E: "/Date(-62135596800000)/",
      F: '1e5 "x" \u2028',
      G: "1e5",
      H: "-0.0",
      ODQ_CHANGEMODE: "",
      ODQ_ENTITYCNTR: "1",
    },
    { ...place(2), ID: "O'Neil 2", ODQ_CHANGEMODE: "D", ODQ_ENTITYCNTR: "-1" },
    { ...place(3), ID: "3", ODQ_CHANGEMODE: "D", ODQ_ENTITYCNTR: "-1" },
  ]);
  // V4's link is followed as it stands.
  await extract(cwd);
  expect(service.asked.at(-1)).toBe("S?$deltatoken=abc==");
});

describe("OAuth 2", () => {
  /** A service that takes each token for so many requests. */
  async function lending(requests: number) {
    let [tokens, left] = [0, 0];
    const bodies: string[] = [];
    const login = await serve((_, request: IncomingMessage, response: ServerResponse) => {
      request.on("data", (chunk) => bodies.push(String(chunk)));
      request.on("end", () => {
        const isKnown = request.headers.authorization === `Basic ${Buffer.from("c:hush").toString("base64")}`;
        if (!isKnown) return response.writeHead(401).end();
        [tokens, left] = [tokens + 1, requests];
        return json(response, { access_token: `t${tokens}`, token_type: "bearer" });
      });
    });
    const service = await serve((path, request, response) => {
      if (request.headers.authorization !== `Bearer t${tokens}` || left-- <= 0) return response.writeHead(401).end();
      const page = Number(/skiptoken=(\d)/.exec(path)?.[1] ?? 0);
      const link = page < 3 ? { __next: `S?$skiptoken=${page + 1}` } : { __delta: "S?!deltatoken='D1'" };
      return json(response, { d: { results: [{ ID: String(page) }], ...link } });
    });
    return { service, login, bodies, more: `, tokenUrl: "${login.url}/token", clientId: CLIENT, clientSecret: SECRET` };
  }

  it("gets a token, and another where one runs out within a read", async () => {
    const { service, login, bodies, more } = await lending(2);
    const cwd = open(service.url, more);
    expect((await extract(cwd)).done).toMatchObject({ rows: 4 });
    expect(login.asked).toHaveLength(2);
    expect(bodies[0]).toBe("grant_type=client_credentials");
  });

  it("is told where the server of tokens does not know the client", async () => {
    const { service, login, more } = await lending(2);
    const { stdout } = await ingot(["extract", "--json"], {
      cwd: open(service.url, more),
      env: { ...ENV, SECRET: "wrong" },
    });
    expect(stdout).toContain("EXTRACT_NOT_AUTHORIZED");
    expect(stdout).not.toContain("wrong");
    expect(login.asked.length).toBeLessThanOrEqual(2);
  });
});

describe("the spec", () => {
  const given = "service: https://h/s, entitySet: S, landing: l";
  it.each([
    ["{entitySet: S, landing: l, keys: [ID]}", "lacks `extracts.s.service`"],
    [`{${given}}`, "needs one key"],
    [`{${given}, keys: [ID], table: VBAK}`, "needs one key"],
    [`{${given}, keys: []}`, "is empty"],
    [`{service: http://h/s, entitySet: S, landing: l, keys: [ID], user: U, password: P}`, "is http"],
    [`{service: "https://u:p@h/s", entitySet: S, landing: l, keys: [ID]}`, "is no address"],
    [`{${given}, keys: [ID], user: U}`, "lacks `password`"],
    [`{${given}, keys: [ID], user: U, password: "s3cr-et!"}`, "is no name of a variable"],
    [`{${given}, keys: [ID], user: U, password: P, tokenUrl: https://t, clientId: C, clientSecret: S}`, "two logins"],
    [`{service: https://h/s, entitySet: ../S, landing: l, keys: [ID]}`, "is no name of a set"],
    [`{service: https://h/s, entitySet: S, landing: ".", keys: [ID]}`, "the project's own folder"],
    [`{${given}, keys: [ID], paging: key}`, "changes are tracked"],
    [`{${given}, table: VBAK, changes: none, paging: key}`, "needs `keys`"],
    [`{${given}, keys: [ID], changes: none, paging: key}`, "needs `pageSize`"],
    [`{${given}, keys: [ID], pageSize: many}`, "a whole number"],
    [`{${given}, keys: [ID], select: [A]}`, "lacks ID of the key"],
    [`{${given}, keys: [ID], changes: nnoe}`, "Did you mean none?"],
    [`{${given}, keys: [ID], clent: "100"}`, "Did you mean `client`?"],
  ])("refuses %s", async (text, why) => {
    const cwd = project({ "transformations/none.sql": "", "ingot.yml": `${SPEC}extracts:\n  s: ${text}\n` });
    const { code, errors } = await refusal(cwd, "extract");
    expect(code).toBe(3);
    expect(`${errors[0]?.message} ${errors[0]?.hint}`).toContain(why);
    expect(JSON.stringify(errors)).not.toContain("s3cr-et!");
  });

  it.each([
    ["l", "m", "subscription"],
    ["l", "l", "landing"],
  ])("refuses two extracts into %s and %s", async (one, other, what) => {
    const extract = (landing: string) => `{service: https://h/s, entitySet: S, landing: ${landing}, keys: [ID]}`;
    const cwd = project({
      "transformations/none.sql": "",
      "ingot.yml": `${SPEC}extracts:\n  a: ${extract(one)}\n  b: ${extract(other)}\n`,
    });
    expect((await refusal(cwd, "extract")).errors[0]?.message).toContain(`has the ${what} of \`extracts.a\``);
  });
});
