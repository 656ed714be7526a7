import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobServiceClient } from "@azure/storage-blob";
import { afterAll, describe } from "vitest";
import { emulators } from "../../scripts/emulators.mjs";

export interface Cloud {
  readonly name: keyof typeof emulators;
  /** Arguments that let it serve a port, with its data in a folder. */
  readonly serve: (port: number, folder: string) => readonly string[];
  /** How a store finds it at this address (`http://127.0.0.1:1234`). */
  readonly environment: (address: string) => Readonly<Record<string, string>>;
  /** How delta-rs finds it; undefined where it cannot use the emulator. */
  readonly deltalake: ((address: string) => Readonly<Record<string, string>>) | undefined;
  /** Makes the bucket that `root` begins with. */
  readonly prepare: (address: string) => Promise<unknown>;
  readonly root: string;
}

/** The account and key that azurite documents for everybody. */
const AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const azureConnection = (address: string): string =>
  `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${AZURE_KEY};BlobEndpoint=${address}/devstoreaccount1;`;

export const S3: Cloud = {
  name: "s3",
  serve: (port) => ["-H", "127.0.0.1", "-p", `${port}`],
  environment: (address) => ({
    AWS_ENDPOINT_URL_S3: address,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "a-secret-of-s3",
  }),
  deltalake: (address) => ({
    AWS_ENDPOINT_URL: address,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_REGION: "us-east-1",
    AWS_ALLOW_HTTP: "true",
  }),
  prepare: (address) => fetch(`${address}/bucket`, { method: "PUT" }),
  root: "s3://bucket",
};

export const CLOUDS: readonly Cloud[] = [
  S3,
  {
    name: "azure",
    serve: (port, folder) => [
      "--blobHost",
      "127.0.0.1",
      "--blobPort",
      `${port}`,
      "--location",
      folder,
      "--silent",
      "--skipApiVersionCheck",
    ],
    environment: (address) => ({ AZURE_STORAGE_CONNECTION_STRING: azureConnection(address) }),
    deltalake: (address) => ({ AZURE_STORAGE_USE_EMULATOR: "true", AZURITE_BLOB_STORAGE_URL: address }),
    prepare: (address) => BlobServiceClient.fromConnectionString(azureConnection(address)).createContainer("container"),
    root: "abfss://container@devstoreaccount1.dfs.core.windows.net",
  },
  {
    name: "google",
    serve: (port) => ["-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", `${port}`],
    environment: (address) => ({ STORAGE_EMULATOR_HOST: address }),
    // It lists by the XML API, which fake-gcs-server does not have.
    deltalake: undefined,
    prepare: (address) =>
      fetch(`${address}/storage/v1/b`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"name":"bucket"}',
      }),
    root: "gs://bucket",
  },
];

/**
 * Starts a cloud's emulator for the tests of a file, and makes its bucket: the address. Where it cannot be had the tests
 * are skipped and the title says why; on CI (`CI` is set) that is an error, so that no gate passes by skipping.
 */
export async function describeWithEmulator(cloud: Cloud, body: (address: string) => void): Promise<void> {
  const emulator = await emulators[cloud.name]();
  if ("missing" in emulator) {
    if (process.env["CI"]) throw new Error(`CI needs the emulator ${cloud.name}: ${emulator.missing}`);
    describe.skip(`${cloud.name} [no emulator: ${emulator.missing}]`, () => body(""));
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "ingot-cloud-"));
  const port = await freePort();
  const [program = "", ...args] = [...emulator.program, ...cloud.serve(port, folder)];
  const child = spawn(program, args, { stdio: "ignore", cwd: folder });
  // Where the tests cannot even be collected, no hook runs.
  process.once("exit", () => child.kill("SIGKILL"));
  afterAll(async () => {
    const ended = once(child, "exit");
    if (child.kill("SIGKILL")) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await listening(port);
  await cloud.prepare(`http://127.0.0.1:${port}`);
  body(`http://127.0.0.1:${port}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    if (Date.now() > deadline) throw new Error(`No emulator listens on port ${port}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
