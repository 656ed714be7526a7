import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { sparkJars } from "../../scripts/peers.mjs";
import { javaOptions, type SparkLife } from "./spark.js";

const SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";
const HOST = "127.0.0.1";
const LOG_LIMIT = 64 * 1024;
const POLL_MS = 200;

/** A Spark Connect server in a process of its own, on the loopback. */
export interface SparkServer {
  readonly port: number;
  /** `sc://127.0.0.1:PORT` */
  readonly remote: string;
  /** Ends the process and removes its warehouse. */
  stop(): Promise<void>;
  /** Ends the process at once, as a fault of its machine would. */
  kill(): Promise<void>;
}

/**
 * Starts Spark 4.2 with Delta and Connect, with an empty catalog; `settings` are Spark's own, beside those of tests.
 *
 * @param port of a server that is started again; else a free one
 */
export async function startSparkServer(
  settings: Readonly<Record<string, string>> = {},
  port?: number,
  life: SparkLife = "short",
): Promise<SparkServer> {
  const jars = await sparkJars();
  if ("missing" in jars) throw new Error(jars.missing);
  const folder = await mkdtemp(join(tmpdir(), "ingot-spark-server-"));
  const listening = port ?? (await freePort());
  const options = javaOptions(folder, life, {
    "spark.connect.grpc.binding.address": HOST,
    "spark.connect.grpc.binding.port": String(listening),
    ...settings,
  });
  const java = spawn(jars.java, [...options, "-cp", jars.classpath, SERVER], {
    env: { ...process.env, SPARK_LOCAL_IP: HOST },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => java.once("close", () => resolve()));
  const end = async (signal: NodeJS.Signals) => {
    java.kill(signal);
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilOpen(java, listening);
  } catch (error) {
    await end("SIGKILL");
    throw error;
  }
  return {
    port: listening,
    remote: `sc://${HOST}:${listening}`,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** Waits until a server listens. @throws Error with its log when it dies before */
export async function untilOpen(server: ChildProcess, port: number): Promise<void> {
  let log = "";
  server.stderr?.on("data", (chunk) => {
    log = (log + chunk).slice(-LOG_LIMIT);
  });
  while (!(await isOpen(port))) {
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new Error(`The server ended (${server.exitCode ?? server.signalCode})\n${log}`);
    }
    await setTimeout(POLL_MS);
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, HOST, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
