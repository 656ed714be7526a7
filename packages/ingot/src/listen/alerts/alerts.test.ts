import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AlertSpec, AlertTarget } from "../../config/alerts.js";
import { writeProject } from "../../define/project-fixture.js";
import type { RunEvent } from "../../model/event.js";
import type { AlertMessage } from "./alert-message.js";
import { Alerts } from "./alerts.js";
import { sign } from "./send-alert.js";

const NOW = new Date("2025-10-09T08:53:20Z");
const KEY = "top secret";
const CONTEXT = { env: { OPS_KEY: KEY }, clock: () => NOW };
/** For receivers that answer. */
const PATIENCE = { messageMs: 60_000, endMs: 60_000, firstPauseMs: 1 };
/** For one that does not. */
const IMPATIENCE = { ...PATIENCE, endMs: 50 };
const AT = { file: "ingot.yml", line: 1, column: 1 };

interface Heard {
  readonly message: AlertMessage;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A receiver, which answers each request as it is told; what it heard, answered or not. */
async function receiver(
  answer: (response: ServerResponse, nth: number) => void,
): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      heard.push({ message: JSON.parse(body) as AlertMessage, headers: request.headers, body });
      answer(response, heard.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard };
}
const ok = (response: ServerResponse): void => void response.writeHead(204).end();
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();

const webhook = (url: string): AlertTarget => ({ kind: "webhook", url, secret: "OPS_KEY" });
const spec = (target: AlertTarget, more: Partial<AlertSpec> = {}): AlertSpec => {
  return { name: "ops", at: AT, on: ["failed", "gate", "drift", "quarantine"], target, ...more };
};

const origin = { pipeline_name: "shop", run_id: "r1", dataset_name: "c.s.t", flow_name: "c.s.t" };
const event = (id: string, details: RunEvent["details"], more: Partial<RunEvent> = {}): RunEvent => ({
  id,
  sequence: 0,
  timestamp: `2025-10-09T08:00:0${id.length % 10}.000Z`,
  level: "INFO",
  event_type: "notice",
  message: "m",
  origin,
  details,
  ...more,
});
const drift = (id: string) => event(id, { notice: { drift: { kind: "added", column: "z" } } });

/** Lets a run hear events; gives what it told of the alerts. */
async function run(storage: string, specs: readonly AlertSpec[], ...events: readonly RunEvent[]): Promise<string[]> {
  const told: string[] = [];
  const alerts = new Alerts(specs, storage, CONTEXT, PATIENCE);
  alerts.begin((level, message) => told.push(`${level} ${message}`));
  for (const one of events) alerts.listen(one);
  await alerts.close();
  return told;
}
const waiting = (storage: string) => readdirSync(join(storage, "_alerts"));

it("signs timestamp and body: the answer of openssl dgst -sha256 -hmac", () => {
  expect(sign(KEY, 1760000000, '{"id":"e1"}')).toBe(
    "v1=32d71745a14bc0dedca3813349996776982a3e03afb3a7710520025b9a18882f",
  );
});

describe("what is an alert", () => {
  it("a run that failed, a closed gate, drift, rows set aside: with names and figures, and no value", async () => {
    const { url, heard } = await receiver(ok);
    const quality = {
      dropped_records: 0,
      quarantined_records: 2,
      expectations: [{ name: "pos", dataset: "c.s.t", passed_records: 1, failed_records: 2 }],
    };
    const error = { code: "EXPECTATION_VIOLATION", message: 'such as {"iban":"DE00"}' };
    await run(
      writeProject({}),
      [spec(webhook(url))],
      event("1", { flow_progress: { status: "COMPLETED", data_quality: { ...quality, quarantined_records: 0 } } }),
      event("22", { flow_progress: { status: "COMPLETED", data_quality: quality } }),
      event("333", { flow_progress: { status: "FAILED" } }, { level: "WARN", error }),
      event("4444", { flow_progress: { status: "FAILED" } }, { level: "ERROR", error }),
      drift("55555"),
      event(
        "666666",
        { run_progress: { state: "FAILED" } },
        { error, origin: { pipeline_name: "shop", run_id: "r1" } },
      ),
      event("7777777", { run_progress: { state: "COMPLETED" } }),
    );
    const about = { pipeline: "shop", run_id: "r1" };
    expect(heard.map(({ message }) => message)).toEqual([
      {
        ...about,
        id: "22",
        kind: "quarantine",
        timestamp: "2025-10-09T08:00:02.000Z",
        dataset: "c.s.t",
        flow: "c.s.t",
        message: "c.s.t: 2 rows were quarantined",
        details: { data_quality: quality },
      },
      {
        ...about,
        id: "4444",
        kind: "gate",
        timestamp: "2025-10-09T08:00:04.000Z",
        dataset: "c.s.t",
        flow: "c.s.t",
        message: "c.s.t is not published: EXPECTATION_VIOLATION. Rows fail an expectation that fails the update.",
        details: { code: "EXPECTATION_VIOLATION" },
      },
      {
        ...about,
        id: "55555",
        kind: "drift",
        timestamp: "2025-10-09T08:00:05.000Z",
        dataset: "c.s.t",
        flow: "c.s.t",
        message: "m",
        details: { drift: { kind: "added", column: "z" } },
      },
      {
        ...about,
        id: "666666",
        kind: "failed",
        timestamp: "2025-10-09T08:00:06.000Z",
        message: "Run of shop is FAILED: EXPECTATION_VIOLATION. Rows fail an expectation that fails the update.",
        details: { code: "EXPECTATION_VIOLATION" },
      },
    ]);
    expect(JSON.stringify(heard)).not.toContain("DE00");
    const [first] = heard;
    expect(first?.headers).toMatchObject({
      "ingot-timestamp": "1760000000",
      "ingot-signature": sign(KEY, 1760000000, first?.body ?? ""),
    });
  });

  it("only of the kinds that it is declared for", async () => {
    const { url, heard } = await receiver(ok);
    await run(writeProject({}), [spec(webhook(url), { on: ["failed"] })], drift("a"));
    expect(heard).toEqual([]);
  });
});

describe("a webhook", () => {
  it("that fails twice is told at the third attempt, and the log says so", async () => {
    const storage = writeProject({});
    const { url, heard } = await receiver((response, nth) => status(nth < 3 ? 503 : 200)(response));
    expect(await run(storage, [spec(webhook(url))], drift("a"))).toEqual(["INFO Alert ops was told."]);
    expect(heard.map(({ message }) => message.id)).toEqual(["a", "a", "a"]);
    expect(waiting(storage)).toEqual([]);
  });

  it("that is down leaves its messages to the next run, in their order", async () => {
    const storage = writeProject({});
    const down = await receiver(status(500));
    const told = await run(storage, [spec(webhook(down.url))], drift("a"), drift("bb"));
    expect(told).toEqual(["WARN Alert ops could not be told: HTTP 500; 2 messages wait for the next run."]);
    const { url, heard } = await receiver(ok);
    expect(await run(storage, [spec(webhook(url))])).toHaveLength(2);
    expect(heard.map(({ message }) => message.id)).toEqual(["a", "bb"]);
    expect(waiting(storage)).toEqual([]);
  });

  it("that hangs holds up nobody: neither the end of the run nor another receiver", async () => {
    const storage = writeProject({});
    const hanging = await receiver(() => {});
    const { url, heard } = await receiver(ok);
    const specs = [spec(webhook(hanging.url)), spec(webhook(url), { name: "other" })];
    const alerts = new Alerts(specs, storage, CONTEXT, IMPATIENCE);
    const told: string[] = [];
    const isTold = new Promise<void>((resolve) =>
      alerts.begin((_, message) => {
        told.push(message);
        resolve();
      }),
    );
    alerts.listen(drift("a"));
    await isTold;
    await alerts.close();
    expect(heard).toHaveLength(1);
    expect(told).toEqual([
      "Alert other was told.",
      "Alert ops could not be told: no answer in time; 1 message waits for the next run.",
    ]);
  });

  it("that took a message and whose answer was lost gets it once more, with the same id", async () => {
    const storage = writeProject({});
    const { url, heard } = await receiver((response, nth) => (nth === 1 ? void response.destroy() : ok(response)));
    await run(storage, [spec(webhook(url))], drift("a"));
    expect(heard.map(({ message }) => message.id)).toEqual(["a", "a"]);
  });

  it("that is nowhere, or leads elsewhere, is told in words without its address", async () => {
    const gone = await receiver(ok);
    for (const close of open.splice(0)) close();
    const elsewhere = await receiver(ok);
    const { url } = await receiver((response) => void response.writeHead(302, { location: elsewhere.url }).end());
    for (const [target, why] of [
      [webhook(gone.url), "no connection (ECONNREFUSED)"],
      [webhook(url), "HTTP 302"],
    ] as const) {
      const told = await run(writeProject({}), [spec(target)], drift("a"));
      expect(told).toEqual([`WARN Alert ops could not be told: ${why}; 1 message waits for the next run.`]);
    }
    expect(elsewhere.heard).toEqual([]);
  });

  it("needs its key in the environment", () => {
    const make = () => new Alerts([spec(webhook("http://127.0.0.1:1"))], "/s", { env: {}, clock: () => NOW });
    expect(make).toThrow("The alert ops needs the environment variable OPS_KEY");
  });
});

describe("other targets", () => {
  it("a file gets a line a message", async () => {
    const storage = writeProject({});
    const path = join(storage, "alerts", "all.ndjson");
    await run(storage, [spec({ kind: "file", path })], drift("a"), drift("bb"));
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as AlertMessage).id)).toEqual(["a", "bb"]);
  });

  it("a command gets the message on its standard input; its exit code counts", async () => {
    const storage = writeProject({});
    const command = (text: string) => spec({ kind: "command", command: text, folder: storage });
    expect(await run(storage, [command("cat > got.json; exit 3")], drift("a"))).toEqual([
      "WARN Alert ops could not be told: exit code 3; 1 message waits for the next run.",
    ]);
    expect(JSON.parse(readFileSync(join(storage, "got.json"), "utf8"))).toMatchObject({ id: "a", kind: "drift" });
    expect(await run(storage, [command("true")])).toEqual(["INFO Alert ops was told."]);
  });

  it("a command that does not end is ended", async () => {
    const storage = writeProject({});
    const alerts = new Alerts([spec({ kind: "command", command: "sleep 60", folder: storage })], storage, CONTEXT, {
      ...PATIENCE,
      messageMs: 10,
    });
    const told: string[] = [];
    alerts.begin((_, message) => told.push(message));
    alerts.listen(drift("a"));
    await alerts.close();
    expect(told).toEqual(["Alert ops could not be told: no end in time; 1 message waits for the next run."]);
  });
});
