// Steps of bench/spark.mjs on a Spark Connect server: runs of Ingot in this process, and the same work by plain statements.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../packages/ingot/src/cli/main.js";
import { openSession } from "../packages/ingot/src/engine/spark/connect/open-session.js";
import { SparkSession } from "../packages/ingot/src/engine/spark/connect/session.js";
import { startSparkServer } from "../test/interop/spark-server.js";
import { KEYS, SCHEMA } from "./sap-documents.js";
import { usage } from "./usage.js";

const never = new AbortController().signal;
const CALLS = ["sql", "collect", "write", "schema", "configure", "version"] as const;

/** Seconds in which at least one call to Spark was open, and how many calls there were. */
function watchCalls(): { seconds: number; calls: number } {
  const watched = { seconds: 0, calls: 0 };
  let [open, since] = [0, 0];
  const prototype = SparkSession.prototype as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of CALLS) {
    const call = prototype[name];
    if (call === undefined) throw new Error(`the client has no ${name}`);
    prototype[name] = async function (this: SparkSession, ...args: unknown[]) {
      watched.calls += 1;
      if (open++ === 0) since = performance.now();
      try {
        return await call.apply(this, args);
      } finally {
        if (--open === 0) watched.seconds += (performance.now() - since) / 1000;
      }
    };
  }
  return watched;
}

const watched = watchCalls();

export interface Measured {
  readonly wall_s: number;
  /** CPU seconds of the server. */
  readonly server_cpu_s: number;
  readonly jobs: number;
  /** Of these seconds a call to Spark was open. */
  readonly spark_s: number;
  readonly calls: number;
}

/** A Spark server with what benchmarks ask of it. */
export class Bench {
  readonly #events: string;
  readonly #server: Awaited<ReturnType<typeof startSparkServer>>;

  private constructor(events: string, server: Awaited<ReturnType<typeof startSparkServer>>) {
    this.#events = events;
    this.#server = server;
  }

  /** @param events empty folder for Spark's event log */
  static async start(events: string): Promise<Bench> {
    const settings = {
      "spark.eventLog.enabled": "true",
      "spark.eventLog.dir": `file://${events}`,
      "spark.eventLog.compress": "false",
      "spark.eventLog.rolling.enabled": "false",
    };
    return new Bench(events, await startSparkServer(settings, undefined, "long"));
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** One `ingot` command on the server. */
  ingot(project: string, ...args: readonly string[]): Promise<Measured> {
    return this.#measure(async () => {
      let told = "";
      const stream = (keep: boolean) => ({
        write: (text: string) => {
          if (keep) told += text;
        },
        isTTY: false,
        columns: 120,
      });
      const io = {
        stdout: stream(false),
        stderr: stream(true),
        cwd: project,
        env: {},
        clock: () => new Date(),
        user: "bench",
        onInterrupt: () => () => {},
        readStdin: async () => "",
      };
      const code = await main([...args, "--engine", "spark", "--remote", this.#server.remote], io, "0.0.0-bench");
      if (code !== 0) throw new Error(`ingot ${args.join(" ")} ended with ${code}: ${told}`);
    });
  }

  /** Statements, one after the other, in a session that is open. */
  async byHand(open: SparkSession, statements: readonly string[]): Promise<Measured> {
    return this.#measure(async () => {
      for (const text of statements) await open.sql(text, never);
    });
  }

  session(): Promise<SparkSession> {
    return openSession(this.#server.remote, never);
  }

  async #measure(work: () => Promise<void>): Promise<Measured> {
    const before = { usage: usage(), jobs: this.#jobs(), ...watched, at: performance.now() };
    await work();
    return {
      wall_s: round((performance.now() - before.at) / 1000),
      server_cpu_s: round(usage().cpu - before.usage.cpu),
      jobs: this.#jobs() - before.jobs,
      spark_s: round(watched.seconds - before.seconds),
      calls: watched.calls - before.calls,
    };
  }

  #jobs(): number {
    const lines = readdirSync(this.#events).flatMap((name) =>
      readFileSync(join(this.#events, name), "utf8").split("\n"),
    );
    return lines.filter((line) => line.startsWith('{"Event":"SparkListenerJobStart"')).length;
  }
}

const PROPERTIES = "'delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true'";
const NAMES = SCHEMA.fields.map(({ name }) => name);
/** NULL counts as a violation. */
const GOOD = `coalesce(MANDT IS NOT NULL AND BUKRS IS NOT NULL AND BELNR IS NOT NULL
  AND try_cast(DMBTR AS DECIMAL(15,2)) IS NOT NULL AND try_to_date(BUDAT, 'yyyyMMdd') IS NOT NULL, false)`;

/** The tables of bench/hourly.sql by plain statements: an append, rows set aside, a MERGE. */
export function plainStatements(folder: string) {
  const [bronze, silver, aside] = ["bronze", "silver", "aside"].map((name) => `delta.\`${folder}/${name}\``);
  const TYPED: Readonly<Record<string, string>> = {
    DMBTR: "CAST(DMBTR AS DECIMAL(23,2)) AS DMBTR",
    BUDAT: "to_date(BUDAT, 'yyyyMMdd') AS BUDAT",
  };
  const typed = (from: string) => `SELECT op, ${NAMES.map((name) => TYPED[name] ?? name).join(", ")} FROM ${from}`;
  const on = KEYS.map((key) => `t.${key} = s.${key}`).join(" AND ");
  return {
    initial: (files: readonly string[]) => {
      const all = files.map((file) => `SELECT * FROM parquet.\`${file}\``).join(" UNION ALL ");
      return [
        `CREATE TABLE ${bronze} USING delta TBLPROPERTIES (${PROPERTIES}) AS ${all}`,
        `CREATE TABLE ${aside} USING delta AS SELECT *, current_timestamp() AS quarantined_at FROM ${bronze} WHERE NOT ${GOOD}`,
        `CREATE TABLE ${silver} USING delta CLUSTER BY (MANDT, BUKRS, GJAHR, BELNR) TBLPROPERTIES (${PROPERTIES})
           AS SELECT * EXCEPT (op) FROM (${typed(`(SELECT * FROM ${bronze} WHERE ${GOOD})`)})`,
      ];
    },
    batch: (file: string) => [
      `INSERT INTO ${bronze} SELECT * FROM parquet.\`${file}\``,
      `INSERT INTO ${aside} SELECT *, current_timestamp() AS quarantined_at FROM parquet.\`${file}\` WHERE NOT ${GOOD}`,
      `MERGE INTO ${silver} t USING (${typed(`(SELECT * FROM parquet.\`${file}\` WHERE ${GOOD})`)}) s ON ${on}
         WHEN MATCHED AND s.op = 'D' AND s.CHG_SEQ > t.CHG_SEQ THEN DELETE
         WHEN MATCHED AND s.CHG_SEQ >= t.CHG_SEQ THEN UPDATE SET ${NAMES.map((name) => `${name} = s.${name}`).join(", ")}
         WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (${NAMES.join(", ")}) VALUES (${NAMES.map((name) => `s.${name}`).join(", ")})`,
    ],
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
