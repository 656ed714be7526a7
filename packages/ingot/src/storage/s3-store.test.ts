import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseS3, s3Store } from "./s3-store.js";

/** The status of an empty answer, or the answer itself. */
type Answer = (request: IncomingMessage, key: string) => number | ((response: ServerResponse) => void);

const SECRET = "a-secret-that-nobody-may-see";

/** A store at a server of the test's own; keys are without the bucket. */
async function storeAt(answer: Answer) {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const key = (request.url ?? "").split("?")[0]?.replace("/bucket/", "") ?? "";
    requests.push(`${request.method} ${key} ${request.headers["if-none-match"] ?? ""}`.trim());
    request.resume().on("end", () => {
      const given = answer(request, key);
      if (typeof given === "number") response.writeHead(given).end();
      else given(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: SECRET,
  };
  return { store: s3Store(environment), requests };
}

/** A service that honours `If-None-Match: *`. */
function honest(): (request: IncomingMessage, key: string) => number {
  const keys = new Set<string>();
  return (request, key) => {
    if (request.method !== "PUT") return 200;
    if (request.headers["if-none-match"] === "*" && keys.has(key)) return 412;
    keys.add(key);
    return 200;
  };
}

describe("putIfAbsent on S3", () => {
  it("tries again while another conditional write of the key is under way", async () => {
    const answer = honest();
    let conflicts = 2;
    const { store, requests } = await storeAt((request, key) =>
      key === "t/7.json" && conflicts-- > 0 ? 409 : answer(request, key),
    );
    expect(await store.putIfAbsent("s3://bucket/t/7.json", "x")).toBe(true);
    expect(requests.filter((request) => request.includes("7.json"))).toEqual(Array(3).fill("PUT t/7.json *"));
  });

  it("refuses a service that ignores the condition, before it writes", async () => {
    const { store, requests } = await storeAt(() => 200);
    await expect(store.putIfAbsent("s3://bucket/t/7.json", "x")).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
    expect(requests.some((request) => request.includes("7.json"))).toBe(false);
    expect(requests.at(-1)).toMatch(/^DELETE t\/\.ingot-probe-/);
  });

  it("asks a service once whether it honours the condition", async () => {
    const { store, requests } = await storeAt(honest());
    await store.putIfAbsent("s3://bucket/t/7.json", "x");
    await store.putIfAbsent("s3://bucket/t/8.json", "x");
    expect(requests.filter((request) => request.includes("probe"))).toHaveLength(3);
  });
});

it("asks for the names behind one only", async () => {
  const urls: string[] = [];
  const { store } = await storeAt((request) => {
    urls.push(request.url ?? "");
    return (response) => response.end("<ListBucketResult/>");
  });
  await store.list("s3://bucket/t/_delta_log", "00000000000000000090");
  await store.list("s3://bucket/t/_delta_log");
  const sent = urls.map((url) => new URL(url, "http://host").searchParams.get("start-after"));
  expect(sent).toEqual(["t/_delta_log/00000000000000000090", null]);
});

it("repeats a read that the service had no time for", async () => {
  let busy = 2;
  const { store, requests } = await storeAt(() => (busy-- > 0 ? 503 : 200));
  expect(await store.read("s3://bucket/t/7.json")).toHaveLength(0);
  expect(requests).toHaveLength(3);
});

it("reads again when a body breaks off", async () => {
  let broken = 2;
  const { store, requests } = await storeAt(() => (response) => {
    response.writeHead(200, { "content-length": 10 });
    if (broken-- > 0) response.write("0123", () => response.destroy());
    else response.end("0123456789");
  });
  expect(Buffer.from(await store.read("s3://bucket/t/7.json")).toString()).toBe("0123456789");
  expect(requests).toHaveLength(3);
});

it("leaves no parts of an upload that failed, and no object", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ingot-s3-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(`${folder}/file`, Buffer.alloc(40 * 2 ** 20));
  const { store, requests } = await storeAt(({ method, url }) => {
    if (method === "POST") return (response) => response.end(UPLOAD_BEGUN);
    return method === "PUT" && url?.includes("partNumber=2&") ? 403 : 200;
  });
  await expect(store.upload(`${folder}/file`, "s3://bucket/t/f")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  expect(requests.at(-1)).toBe("DELETE t/f");
  expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
});

const UPLOAD_BEGUN = `<InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<Bucket>bucket</Bucket><Key>t/f</Key><UploadId>u1</UploadId></InitiateMultipartUploadResult>`;

it("names the path and the status of a failure, and no secret", async () => {
  const { store } = await storeAt(() => 403);
  const error = await store.put("s3://bucket/t/7.json", "x").catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: "STORAGE_FAILED",
    message: expect.stringMatching(/s3:\/\/bucket\/t\/7\.json.*403/),
    hint: expect.stringContaining("credentials"),
  });
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(new RegExp(`${SECRET}|Signature|AWS4-HMAC`));
});

it.each([
  ["s3://b/k", { bucket: "b", key: "k" }],
  ["s3a://b/a b/%20?#", { bucket: "b", key: "a b/%20?#" }],
  ["s3://b", { bucket: "b", key: "" }],
  ["s3://b/", { bucket: "b", key: "" }],
  ["s3:///k", undefined],
  ["gs://b/k", undefined],
  ["/local", undefined],
])("takes %s apart", (path, place) => {
  expect(parseS3(path)).toEqual(place);
});
