import { join } from "node:path";
import { formatSchema } from "../../../packages/delta/src/schema/schema.js";
import { toDeltaSchema } from "../../../packages/ingot/src/engine/tables/delta-schema.js";
import { parseSchema } from "../../../packages/ingot/src/sql/ddl-types.js";
import { appendDelta, operateDelta } from "../deltalake.js";
import { about, type Lab } from "./lab.js";
import type { MadeByDeltalake, MadeBySpark, PeerTable } from "./theirs/peer-table.js";

interface Order {
  readonly key: string;
  readonly table: PeerTable;
}

/** Lets the peers make tables: Spark as many at once as it can, those with settings of the session one by one. */
export async function makePeerTables(lab: Lab, orders: readonly Order[]): Promise<void> {
  const located = orders.map(({ key, table }, i) => ({ key, made: table.made, location: join(lab.folder, `t${i}`) }));
  const bySpark = located.flatMap((order) => (order.made.by === "spark" ? [{ ...order, made: order.made }] : []));
  const byDeltalake = located.flatMap((order) => (order.made.by === "spark" ? [] : [{ ...order, made: order.made }]));
  await Promise.all([
    runScripts(
      lab,
      bySpark.filter(({ made }) => made.settings === undefined),
    ),
    ...byDeltalake.map(({ key, made, location }) => lab.put(key, makeByDeltalake(made, location))),
  ]);
  for (const order of bySpark) {
    if (order.made.settings === undefined) continue;
    const settings = Object.entries(order.made.settings);
    for (const [name, value] of settings) await lab.spark.sql(`SET ${name} = ${value}`);
    await runScripts(lab, [order]);
    for (const [name] of settings) await lab.spark.sql(`RESET ${name}`);
  }
}

interface Script {
  readonly key: string;
  readonly made: MadeBySpark;
  readonly location: string;
}

async function runScripts(lab: Lab, scripts: readonly Script[]): Promise<void> {
  const answers = await lab.spark.runAll(
    scripts.map(({ made, location }) => made.sql.map((statement) => about(location, statement))),
  );
  for (const [i, { key, location }] of scripts.entries()) {
    const answer = answers[i] ?? new Error(`${key} has no answer`);
    await lab.put(key, answer instanceof Error ? Promise.reject(answer) : Promise.resolve(location));
  }
}

async function makeByDeltalake({ columns, rows, steps }: MadeByDeltalake, location: string): Promise<string> {
  await appendDelta(location, rows, formatSchema(toDeltaSchema(parseSchema(columns))));
  await operateDelta(location, ...steps);
  return location;
}
