import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localStore } from "@ingot/delta";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { columns, compiled } from "../../../graph/test-builders.js";
import type { ExpectationAction } from "../../../model/definition.js";
import type { RowRule, RowRules } from "../../../model/rule.js";
import type { BoundQuery, WriteResult, WriteStep } from "../../engine.js";
import { DuckdbEngine } from "../duckdb-engine.js";

const root = mkdtempSync(join(tmpdir(), "ingot-rules-"));
const engine = new DuckdbEngine(join(root, "state"));
afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

const SIGNAL = new AbortController().signal;
const SCHEMA = columns("id bigint, a int");

interface Row {
  readonly id: number;
  readonly a: number | null;
}
/** Of a rule `a > above`, or `a IS NOT NULL` with -1. */
interface Limit {
  readonly above: number;
  readonly action: ExpectationAction;
}

const row = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null });
const limit = (...actions: ExpectationAction[]) =>
  fc.record({ above: fc.integer({ min: -1, max: 9 }), action: fc.constantFrom(...actions) });

function rulesOf(folder: string, limits: readonly Limit[]): RowRules {
  const rules = limits.map(({ above, action }, i): RowRule => {
    return { name: `r${i}`, action, condition: `("a" > ${above})`, status: `S${i}`, version: "v" };
  });
  return { dataset: "d", rules, absent: [], sensitive: [], quarantine: { name: "q", location: join(folder, "q") } };
}

function step(folder: string, batch: bigint, rows: readonly Row[], limits: readonly Limit[]): WriteStep {
  const values = rows.map(({ id, a }) => `(${id}::BIGINT, ${a}::INTEGER)`);
  const text =
    values.length === 0 ? "SELECT 0::BIGINT AS id, 0 AS a WHERE false" : `SELECT * FROM (VALUES ${values}) t(id, a)`;
  const bound: BoundQuery = {
    query: compiled({ schema: SCHEMA, duckdb: text }),
    inputs: new Map(),
    rules: rulesOf(folder, limits),
  };
  return {
    target: { location: join(folder, "t"), name: "t", schema: SCHEMA, properties: {} },
    mode: "append",
    parts: [
      {
        bound,
        transaction: { appId: "flow", version: batch },
        origin: { flow: "t", runId: "run", at: "2026-10-01T12:00:00.000Z" },
        expectedRows: rows.length,
      },
    ],
    note: `batch ${batch}`,
  };
}

async function idsIn(location: string): Promise<number[]> {
  const state = await engine.describe(location);
  if (state === undefined) return [];
  const at = { file: "", line: 1, column: 1 };
  const query = compiled({
    reads: [{ id: "r0", kind: "path", path: location, stream: false, at }],
    schema: columns("id bigint"),
    duckdb: 'SELECT id FROM "r0" ORDER BY id',
  });
  const inputs = new Map([["r0", { kind: "snapshot", location, version: state.version } as const]]);
  return (await engine.query({ query, inputs }, { signal: SIGNAL })).rows.map(([id]) => Number(id));
}

/** Where each row must be, by three lines of its own. */
function expected(rows: readonly Row[], limits: readonly Limit[]): Record<"kept" | "dropped" | "aside", number[]> {
  const failing = ({ a }: Row, action: ExpectationAction) =>
    limits.some((l) => l.action === action && (a === null || a <= l.above));
  const aside = rows.filter((r) => failing(r, "quarantine"));
  const dropped = rows.filter((r) => !aside.includes(r) && failing(r, "drop"));
  const ids = (of: readonly Row[]) => of.map((r) => r.id);
  return {
    kept: ids(rows.filter((r) => !aside.includes(r) && !dropped.includes(r))),
    dropped: ids(dropped),
    aside: ids(aside),
  };
}

let folders = 0;
const newFolder = () => join(root, String(++folders));

describe("law 2, whatever the rows and the rules", () => {
  it("each row is written, dropped or set aside, once, also when a commit of a batch fails and the batch is done again", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        fc.array(limit("warn", "drop", "quarantine"), { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 4 }),
        async (batches, limits, fault) => {
          const folder = newFolder();
          const all: Row[] = [];
          let commits = 0;
          const store = {
            ...localStore,
            // The commit number `fault` does not come to pass; the next one is made, and its answer lost.
            async putIfAbsent(path: string, content: string | Uint8Array) {
              commits += 1;
              if (commits === fault) throw new Error("the process died before a commit");
              const isMine = await localStore.putIfAbsent(path, content);
              if (commits === fault + 1) throw new Error("the process died after a commit");
              return isMine;
            },
          };
          const dying = new DuckdbEngine(join(folder, "state"), store);
          for (const [batch, values] of batches.entries()) {
            const given = values.map((a, i) => ({ id: batch * 10 + i, a }));
            all.push(...given);
            const todo = step(folder, BigInt(batch), given, limits);
            for (let attempt = 0; ; attempt++) {
              const result = await dying.write(todo, SIGNAL).catch(() => undefined);
              if (result !== undefined) break;
              expect(attempt).toBeLessThan(3);
            }
          }
          await dying.close();
          const { kept, aside } = expected(all, limits);
          expect(await idsIn(join(folder, "t"))).toEqual(kept);
          expect(await idsIn(join(folder, "q"))).toEqual(aside);
        },
      ),
      { numRuns: 15 },
    );
  });

  it("the figures are those of the rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.array(limit("warn", "drop", "quarantine"), { minLength: 1, maxLength: 4 }),
        async (values, limits) => {
          const rows = values.map((a, id) => ({ id, a }));
          const result: WriteResult = await engine.write(step(newFolder(), 0n, rows, limits), SIGNAL);
          const { kept, dropped, aside } = expected(rows, limits);
          const fails = ({ a }: Row, { above }: Limit) => a === null || a <= above;
          expect(result.parts[0]).toMatchObject({
            rows: kept.length,
            checks: [
              {
                rows: rows.length,
                failed: rows.filter((r) => limits.some((l) => fails(r, l))).length,
                dropped: dropped.length,
                quarantined: aside.length,
                rules: limits.map((l, i) => ({ name: `r${i}`, failed: rows.filter((r) => fails(r, l)).length })),
              },
            ],
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  it("a rule that fails the update writes nothing anywhere, and hides what is sensitive", async () => {
    const folder = newFolder();
    const todo = step(
      folder,
      0n,
      [
        { id: 1, a: 3 },
        { id: 2, a: 7 },
      ],
      [
        { above: 5, action: "quarantine" },
        { above: 6, action: "fail" },
      ],
    );
    const [part] = todo.parts;
    if (part?.bound.rules === undefined) throw new Error("unreachable");
    const rules = { ...part.bound.rules, sensitive: ["A"] };
    const write = engine.write({ ...todo, parts: [{ ...part, bound: { ...part.bound, rules } }] }, SIGNAL);
    await expect(write).rejects.toMatchObject({
      code: "EXPECTATION_VIOLATION",
      message: 'd: of 2 rows some fail the expectation `r1` (1), such as {"id":"1","a":"***"}',
    });
    expect(await engine.describe(join(folder, "t"))).toBeUndefined();
    expect(await engine.describe(join(folder, "q"))).toBeUndefined();
  });
});
