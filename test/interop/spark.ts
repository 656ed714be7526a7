import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sparkJars } from "../../scripts/peers.mjs";
import type { Relation } from "./relation.js";

const DRIVER = fileURLToPath(new URL("SparkDriver.java", import.meta.url));
const LOG_LIMIT = 64 * 1024;

interface SparkFailure {
  readonly message: string;
  readonly condition?: string;
  readonly sqlState?: string;
  readonly phase: ErrorPhase;
}

/** Before a query runs, or while it does. */
type ErrorPhase = "analysis" | "runtime";

/** What Spark said no to, under Spark's own condition name. */
export class SparkError extends Error {
  override readonly name = "SparkError";
  readonly condition: string | undefined;
  readonly sqlState: string | undefined;
  readonly phase: ErrorPhase;

  constructor(error: SparkFailure) {
    super(error.message);
    this.condition = error.condition;
    this.sqlState = error.sqlState;
    this.phase = error.phase;
  }
}

/** A pipeline for Spark Declarative Pipelines: `.sql` files by name; its tables go into `schema` of `spark_catalog`. */
export interface SparkPipeline {
  readonly files: Readonly<Record<string, string>>;
  readonly schema: string;
  readonly fullRefresh: boolean;
}

/** A running Spark with Delta, in a process of its own. Commands run one after another. */
export interface Spark {
  sql(text: string): Promise<Relation>;
  /** Several scripts at once, in one session; of each the answer of its last statement, or its first error. */
  runAll(scripts: readonly (readonly string[])[]): Promise<(Relation | SparkError)[]>;
  /** The messages of the run's events. */
  run(pipeline: SparkPipeline): Promise<string[]>;
  /** Ends the process and removes its tables. */
  stop(): Promise<void>;
}

/**
 * How the Java machine is run: "short" for tests, which end before the thorough compiler and the parallel collector bring
 * what they cost (half of the CPU time); "long" for a benchmark, with the memory and the defaults that users have.
 */
export type SparkLife = "short" | "long";

/**
 * Starts Spark 4.2 with Delta in an empty warehouse; `settings` are Spark's own, beside those of tests. Errors:
 * SparkError; Error with Spark's log when it dies.
 */
export async function startSpark(
  life: SparkLife = "short",
  settings: Readonly<Record<string, string>> = {},
): Promise<Spark> {
  const jars = await sparkJars();
  if ("missing" in jars) throw new Error(jars.missing);
  const folder = await mkdtemp(join(tmpdir(), "ingot-spark-"));
  const java = spawn(jars.java, [...javaOptions(folder, life, settings), "-cp", jars.classpath, DRIVER], {
    env: { ...process.env, SPARK_LOCAL_IP: "127.0.0.1" },
  });
  const ended = new Promise<void>((resolve) => java.once("close", resolve));
  const answers = readAnswers(java);
  async function stop(): Promise<void> {
    java.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
  // The first answer says that Spark is up.
  await answers.next().catch(async (error) => {
    await stop();
    throw error;
  });

  async function send<Answer>(command: object): Promise<Answer> {
    java.stdin.write(`${JSON.stringify(command)}\n`);
    const answer = JSON.parse(await answers.next());
    if (answer.error !== undefined) throw new SparkError(answer.error);
    return answer;
  }
  return {
    sql: (text) => send<Relation>({ sql: text }),
    async runAll(scripts) {
      const { answers } = await send<{ answers: (Relation | { error: SparkFailure })[] }>({ scripts });
      return answers.map((answer) => ("error" in answer ? new SparkError(answer.error) : answer));
    },
    async run({ files, schema, fullRefresh }) {
      const storage = pathToFileURL(join(folder, "pipelines", schema)).href;
      return (await send<{ events: string[] }>({ pipeline: files, schema, storage, fullRefresh })).events;
    },
    stop,
  };
}

/** Lines of the driver in the order of the commands; after the process has died, each call fails with its log. */
function readAnswers(java: ChildProcessWithoutNullStreams): { next(): Promise<string> } {
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  let death: Error | undefined;
  let log = "";
  java.stderr.on("data", (chunk) => {
    log = (log + chunk).slice(-LOG_LIMIT);
  });
  createInterface(java.stdout).on("line", (line) => waiting.shift()?.resolve(line));
  const die = (why: string) => {
    death ??= new Error(`${why}\n${log}`);
    for (const { reject } of waiting.splice(0)) reject(death);
  };
  java.once("error", (error) => die(error.message));
  java.once("close", (code) => die(`Spark's process ended (${code})`));
  // Writing to a dead process: its death is the error to report.
  java.stdin.on("error", () => undefined);
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (death === undefined) waiting.push({ resolve, reject });
        else reject(death);
      }),
  };
}

/** Options of a Java machine that runs Spark in a folder of its own, on two threads, with `more` settings of Spark's. */
export function javaOptions(folder: string, life: SparkLife, more: Readonly<Record<string, string>>): string[] {
  const settings = {
    "spark.master": "local[2]",
    "spark.app.name": "ingot-tests",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.sql.warehouse.dir": join(folder, "warehouse"),
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    // Pipelines name no format: with one, their second run fails (DELTA_CANNOT_CHANGE_PROVIDER).
    "spark.sql.sources.default": "delta",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.datetime.java8API.enabled": "true",
    // The defaults, 200 and 50 tasks, are for clusters: a two-row write takes four times as long.
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    "java.io.tmpdir": folder,
    ...more,
  };
  return [
    // Answers own the standard output; without the thorough compiler the machine keeps too little room for hundreds of queries.
    "-Xlog:disable",
    "-Xlog:all=warning:stderr",
    "-XX:ReservedCodeCacheSize=240m",
    ...(life === "short" ? ["-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] : ["-Xmx6g"]),
    "--add-modules=jdk.incubator.vector",
    ...OPENED_PACKAGES.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    ...Object.entries(settings).map(([key, value]) => `-D${key}=${value}`),
  ];
}

/** What Spark's own launcher opens (`JavaModuleOptions`). */
const OPENED_PACKAGES = [
  "java.lang",
  "java.lang.invoke",
  "java.lang.reflect",
  "java.io",
  "java.net",
  "java.nio",
  "java.util",
  "java.util.concurrent",
  "java.util.concurrent.atomic",
  "jdk.internal.ref",
  "sun.nio.ch",
  "sun.nio.cs",
  "sun.security.action",
  "sun.util.calendar",
];
