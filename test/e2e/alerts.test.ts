import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startIngot } from "./child.js";
import { filesBelow, ingot, projectMaker, SPEC, texts } from "./cli.js";

const project = projectMaker();

const KEY = "a-key-that-nobody-may-see";
const SQL = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, iban STRING');
CREATE STREAMING TABLE silver (CONSTRAINT known EXPECT (id < 3) ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM bronze;
CREATE STREAMING TABLE strict (CONSTRAINT known EXPECT (id < 3) ON VIOLATION FAIL UPDATE) AS SELECT * FROM STREAM bronze;`;

it("a run tells a webhook, a command and a file what went wrong; neither they nor the log hold a key or a value", async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk) => heard.push(String(chunk)));
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const folder = project({
    "ingot.yml": `${SPEC}alerts:
  ops: { webhook: "${url}", secret: OPS_KEY }
  page: { command: "cat >> paged", on: [gate] }
  kept: { file: alerts.ndjson, on: [failed] }
`,
    "transformations/all.sql": SQL,
    "landing/1.csv": "id,iban\n1,DE01\n5,DE05\n",
  });
  expect((await ingot(["run"], { cwd: folder })).stderr).toContain("needs the environment variable OPS_KEY");
  expect(filesBelow(`${folder}/storage/warehouse`)).toEqual([]);
  const run = await ingot(["run"], { cwd: folder, env: { OPS_KEY: KEY } });
  expect(run.code).toBe(4);
  const kinds = (texts: readonly string[]) => texts.map((text) => (JSON.parse(text) as { kind: string }).kind).sort();
  expect(kinds(heard)).toEqual(["failed", "gate", "quarantine"]);
  expect(kinds([readFileSync(`${folder}/paged`, "utf8")])).toEqual(["gate"]);
  expect(kinds(readFileSync(`${folder}/alerts.ndjson`, "utf8").trim().split("\n"))).toEqual(["failed"]);
  expect(filesBelow(`${folder}/storage/_alerts`)).toEqual([]);
  expect(heard.join()).not.toContain("DE05");
  const told = await texts(folder, "SELECT message FROM event_log WHERE message LIKE '%was told%' ORDER BY message");
  expect(told).toEqual([
    "Alert kept was told.",
    "Alert ops was told.",
    "Alert ops was told.",
    "Alert ops was told.",
    "Alert page was told.",
  ]);
  const everywhere = [
    run.stderr,
    run.stdout,
    ...heard,
    ...filesBelow(`${folder}/storage/_events`).map((file) => readFileSync(`${folder}/storage/_events/${file}`, "utf8")),
  ].join("\n");
  expect(everywhere).not.toContain(KEY);
  expect(everywhere).not.toContain("/token");
});

it("a run that dies while it tells leaves the message to the next one", async () => {
  const spec = (command: string) => `${SPEC}alerts:\n  page: { command: ${JSON.stringify(command)}, on: [gate] }\n`;
  const folder = project({
    "ingot.yml": spec("cat > first; kill -9 $PPID"),
    "transformations/all.sql": SQL,
    "landing/1.csv": "id,iban\n5,DE05\n",
  });
  expect((await startIngot(["run"], folder).done).signal).toBe("SIGKILL");
  writeFileSync(`${folder}/ingot.yml`, spec("cat >> second"));
  await ingot(["run"], { cwd: folder });
  const ids = (file: string) =>
    readFileSync(`${folder}/${file}`, "utf8")
      .split(/(?<=\})(?=\{)/)
      .map((text) => (JSON.parse(text) as { id: string }).id);
  const [first] = ids("first");
  expect(ids("second")[0]).toBe(first);
  expect(filesBelow(`${folder}/storage/_alerts`)).toEqual([]);
});
