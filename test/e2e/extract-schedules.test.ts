import { readdirSync, readFileSync } from "node:fs";
import fs, { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ExtractSpec } from "../../packages/ingot/src/config/extracts.js";
import { type ExtractInput, extract } from "../../packages/ingot/src/run/extract/extract.js";
import { openLogin } from "../../packages/ingot/src/sources/odata/login.js";
import { OdpServer, type ServedRow } from "./odp-server.js";

// Any schedule of changes, failures of the service and deaths of the reader: each row lands once.

/** What the service does to the nth request of an extract. */
type Fault = { readonly nth: number; readonly how: "500" | "503" | "cut" | "drop" };

type Step = { readonly change: number } | { readonly extract: true; readonly fault?: Fault; readonly dieAt?: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ change: fc.integer({ min: 1, max: 5 }) }),
  fc.record(
    {
      extract: fc.constant(true as const),
      fault: fc.record({
        nth: fc.integer({ min: 1, max: 4 }),
        how: fc.constantFrom("500" as const, "503" as const, "cut" as const, "drop" as const),
      }),
      dieAt: fc.integer({ min: 1, max: 40 }),
    },
    { requiredKeys: ["extract"] },
  ),
);

const CALLS = ["link", "rename", "open", "rm", "unlink", "mkdir", "readdir", "readFile", "stat"] as const;

/** Does some work in a process whose nth call of the disk is its last: that call is done, and none behind it. */
async function dyingAt(nth: number, work: () => Promise<unknown>): Promise<void> {
  const originals = Object.fromEntries(CALLS.map((name) => [name, fs[name]]));
  const patched = fs as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  let calls = 0;
  for (const name of CALLS) {
    const original = originals[name] as unknown as (...args: unknown[]) => Promise<unknown>;
    patched[name] = async (...args) => {
      calls += 1;
      if (calls > nth) throw new Error("the process is dead");
      return original(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
  } catch {
    // It died, or the service failed.
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}

it("each change lands once, behind a load that has all that was before it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const root = await mkdtemp(join(tmpdir(), "ingot-extract-"));
      const row = (key: number, change: number, mode: string): ServedRow => ({
        KEY: String(key),
        CHANGE: String(change),
        ODQ_CHANGEMODE: mode,
        ODQ_ENTITYCNTR: "1",
      });
      const before = [1, 2, 3].map((key) => row(key, 0, ""));
      const server = await new OdpServer(before, { key: ["KEY"], pageSize: 2 }).start();
      try {
        let changes = 0;
        for (const one of steps) {
          if ("change" in one) {
            const rows = Array.from({ length: one.change }, () => row((++changes % 4) + 1, changes, "U"));
            server.change(rows);
          } else {
            breakDown(server, one.fault);
            await dyingAt(one.dieAt ?? Number.POSITIVE_INFINITY, () => read(server.url, root));
            // Its lock is that of a process that is gone; this one, whose number it has, is not.
            await rm(join(root, "storage/_extracts/facts/_lock"), { force: true });
          }
        }
        server.fault = () => false;
        // A package that a reader has begun comes first, then the rest.
        await read(server.url, root);
        await read(server.url, root);
        const all = landed(join(root, "landing"));
        const load = all.filter(({ _token }) => _token === null);
        const told = all.filter(({ _token }) => _token !== null).map(({ CHANGE }) => Number(CHANGE));
        const first = changes - told.length + 1;
        expect(told).toEqual(told.map((_, i) => first + i));
        expect(byKey(load)).toEqual(stateAfter(before, first - 1, row));
      } finally {
        await rm(root, { recursive: true });
      }
    }),
    { numRuns: 150 },
  );
}, 120_000);

/** What a load must have: the rows at the start, and changes up to one. */
function stateAfter(
  before: readonly ServedRow[],
  last: number,
  row: (key: number, change: number, mode: string) => ServedRow,
): [string, string][] {
  const state = new Map(before.map(({ KEY, CHANGE }) => [KEY ?? "", CHANGE ?? ""]));
  for (let change = 1; change <= last; change += 1) {
    const { KEY, CHANGE } = row((change % 4) + 1, change, "U");
    state.set(KEY ?? "", CHANGE ?? "");
  }
  return [...state].sort();
}

const byKey = (rows: readonly ServedRow[]) =>
  rows.map(({ KEY, CHANGE }): [string, string] => [KEY ?? "", CHANGE ?? ""]).sort();

function breakDown(server: OdpServer, fault: Fault | undefined): void {
  let requests = 0;
  server.fault = (_, response) => {
    requests += 1;
    if (requests !== fault?.nth) return false;
    if (fault.how === "drop") response.destroy();
    else if (fault.how === "cut") response.end('{"d":{"results":[{"KEY":"1"');
    else {
      response.writeHead(Number(fault.how));
      response.end();
    }
    return true;
  };
}

async function read(url: string, root: string): Promise<void> {
  const spec: ExtractSpec = {
    name: "facts",
    at: { file: "ingot.yml", line: 1, column: 1 },
    service: url,
    entitySet: "Facts",
    landing: join(root, "landing"),
    client: "100",
    login: { kind: "basic", user: "USER", password: "PASSWORD" },
    key: { columns: ["KEY"] },
    changes: "tracked",
    paging: "server",
  };
  const login = openLogin(spec, { USER: "INGOT", PASSWORD: "geheim" }, fetch);
  const input: ExtractInput = {
    spec,
    key: { columns: ["KEY"] },
    login,
    root,
    storage: join(root, "storage"),
    runId: "test",
  };
  await extract(
    input,
    {},
    {
      fetch,
      sleep: async () => {},
      random: () => 0,
      clock: () => new Date(),
      signal: new AbortController().signal,
      tell: () => {},
    },
  );
}

function landed(folder: string): ServedRow[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ServedRow),
  );
}
