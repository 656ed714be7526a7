import { IngotError } from "../../model/error.js";
import { dayOf } from "./calendar.js";
import { DOMAINS } from "./domains/all.js";
import type { GenerateOptions } from "./options.js";
import { type RowTables, rowTables } from "./rows.js";
import { Stream } from "./transactions.js";
import { type Volumes, volumesOf } from "./volumes.js";
import type { World } from "./world.js";

/** The tables that are written. @throws IngotError SAP_TABLE_NOT_FOUND */
export async function wantedTables({ release, tables }: GenerateOptions): Promise<RowTables> {
  const all = await rowTables(release);
  if (tables === undefined) return all;
  const made = new Set(DOMAINS.flatMap(({ tables: own }) => own));
  const wanted = tables.map((name) => name.toUpperCase());
  const unknown = wanted.find((name) => !made.has(name));
  if (unknown !== undefined)
    throw new IngotError("SAP_TABLE_NOT_FOUND", `Table ${unknown} is not generated`, {
      object: unknown,
      hint: `These are: ${[...made].sort().join(", ")}.`,
    });
  return new Map([...all].filter(([name]) => wanted.includes(name)));
}

/** Each domain that writes one of the tables, in each client. */
export function openStreams(options: GenerateOptions, tables: RowTables): Stream[] {
  const start = dayOf(options.start);
  const { seed, release, days, clients } = options;
  const byScale = volumesOf(options.scale);
  const { history = byScale.history, changesPerDay = byScale.changesPerDay } = options;
  const volumes = { ...byScale, history, changesPerDay };
  return clients.flatMap((client, c) => {
    const world: World = {
      seed,
      client,
      isFirst: c === 0,
      release,
      start,
      days,
      unknownProducts: options.faults.get("unknown_product") ?? 0,
      volumes: c === 0 ? volumes : tenth(volumes),
    };
    return DOMAINS.flatMap(({ tables: written, open }, d) =>
      written.some((name) => tables.has(name)) ? [new Stream(world, open(world), d * 10 + c, tables)] : [],
    );
  });
}

function tenth(volumes: Volumes): Volumes {
  const part = (count: number) => Math.max(5, Math.ceil(count / 10));
  return {
    ...volumes,
    customers: part(volumes.customers),
    suppliers: part(volumes.suppliers),
    materials: part(volumes.materials),
    salesOrders: part(volumes.salesOrders),
    purchaseOrders: part(volumes.purchaseOrders),
    accountingDocuments: part(volumes.accountingDocuments),
    changesPerDay: part(volumes.changesPerDay),
  };
}
