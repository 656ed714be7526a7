import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ByteRange, Entry, RemoteStore } from "@ingot/delta";
import { IngotError } from "../model/error.js";
import { describeFailure, httpStatus, type ObjectClient } from "./object-client.js";

/** Where an object lies: `bucket` is the part of a path that one client serves, the key stands as it is written. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/** A body that breaks off is asked for again so often; the SDKs repeat requests, but no body. */
const READ_TRIES = 3;

/**
 * The rules of a `Store` over a cloud's client.
 *
 * A creation whose answer got lost is repeated by the SDK, and then meets its own object. So every creation marks its
 * object, and a key that is taken is asked whose mark it has. Where no try was answered the creation rejects: nobody
 * can tell, and a commit looks into the log.
 *
 * @param parse undefined for a path that is not of this cloud
 * @param connect makes the client of a bucket; called once for each
 */
export function objectStore(
  parse: (path: string) => ObjectPlace | undefined,
  connect: (bucket: string) => Promise<ObjectClient>,
): RemoteStore {
  const clients = new Map<string, Promise<ObjectClient>>();
  const proofs = new Map<string, Promise<void>>();

  function clientOf(bucket: string): Promise<ObjectClient> {
    const known = clients.get(bucket);
    if (known !== undefined) return known;
    const client = connect(bucket);
    clients.set(bucket, client);
    // Credentials may be there at the next try.
    client.catch(() => clients.delete(bucket));
    return client;
  }

  async function at<T>(
    deed: string,
    path: string,
    act: (client: ObjectClient, key: string, bucket: string) => Promise<T>,
  ): Promise<T> {
    const place = parse(path);
    if (place === undefined) throw new IngotError("NOT_SUPPORTED", `${path} is no path of this storage.`);
    try {
      return await act(await clientOf(place.bucket), place.key, place.bucket);
    } catch (error) {
      if (error instanceof IngotError || isAbsence(error)) throw error;
      throw failure(deed, path, error);
    }
  }

  /** Other services that speak S3 may ignore the condition, and then two writers would both win. */
  function prove(client: ObjectClient, bucket: string, key: string): Promise<void> {
    const known = proofs.get(bucket);
    if (known !== undefined) return known;
    const proof = proveConditions(client, bucket, key);
    proofs.set(bucket, proof);
    proof.catch(() => proofs.delete(bucket));
    return proof;
  }

  return {
    list: (folder, after) => at("List", folder, (client, key) => listFolder(client, key, after)),
    read: (path, range) => at("Read", path, (client, key) => readObject(client, path, key, range)),
    putIfAbsent: (path, content) =>
      at("Create", path, async (client, key, bucket) => {
        if (client.unproven) await prove(client, bucket, key);
        const mark = randomUUID();
        return (await client.create(key, bytes(content), mark)) || (await markOf(client, key)) === mark;
      }),
    put: (path, content) => at("Write", path, (client, key) => client.put(key, bytes(content))),
    delete: (path) => at("Delete", path, (client, key) => client.delete(key)),
    upload: (localPath, path) => at("Upload", path, (client, key) => client.upload(localPath, key)),
  };
}

async function listFolder(client: ObjectClient, key: string, after: string | undefined): Promise<Entry[]> {
  const folder = key.replace(/\/+$/, "");
  const prefix = folder === "" ? "" : `${folder}/`;
  const entries = new Map<string, Entry>();
  for await (const { folders, files } of client.list(prefix, after === undefined ? undefined : prefix + after)) {
    for (const whole of folders) {
      const name = whole.slice(prefix.length, -1);
      entries.set(name, { name, kind: "folder", size: 0, modified: 0 });
    }
    for (const { key: whole, size, modified } of files) {
      const name = whole.slice(prefix.length);
      // Consoles and Hadoop mark folders by empty objects, of the folder's key with and without its `/`.
      const isMarker = name === "" || (size === 0 && entries.get(name)?.kind === "folder");
      if (!isMarker) entries.set(name, { name, kind: "file", size, modified: modified?.getTime() ?? 0 });
    }
  }
  return [...entries.values()];
}

async function readObject(
  client: ObjectClient,
  path: string,
  key: string,
  range: ByteRange | undefined,
): Promise<Uint8Array> {
  for (let turn = 1; ; turn++) {
    try {
      const content = await client.get(key, range);
      if (content === undefined) throw absence(path);
      return content;
    } catch (error) {
      const status = httpStatus(error);
      const passes = !isAbsence(error) && (status === undefined || status === 429 || status >= 500);
      if (!passes || turn === READ_TRIES) throw error;
      await setTimeout(100 * 2 ** turn * (0.5 + Math.random()));
    }
  }
}

/** Whose the object is; undefined when it is absent by now, and for one of another writer. */
async function markOf(client: ObjectClient, key: string): Promise<string | undefined> {
  try {
    return await client.markOf(key);
  } catch (error) {
    if (httpStatus(error) === 404) return undefined;
    throw error;
  }
}

async function proveConditions(client: ObjectClient, bucket: string, key: string): Promise<void> {
  const probe = `${key.slice(0, key.lastIndexOf("/") + 1)}.ingot-probe-${randomUUID()}`;
  await client.create(probe, new Uint8Array(), "first");
  const ignores = await client.create(probe, new Uint8Array(), "second");
  await client.delete(probe);
  if (!ignores) return;
  throw new IngotError("NOT_SUPPORTED", `The service of bucket ${bucket} does not honour conditional writes.`, {
    object: bucket,
    hint: "Without them two writers can overwrite each other's commits: use a service that honours If-None-Match.",
  });
}

function bytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function absence(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file, read '${path}'`), { code: "ENOENT", path });
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT" && "path" in error;
}

function failure(deed: string, path: string, error: unknown): IngotError {
  const status = httpStatus(error);
  return new IngotError("STORAGE_FAILED", `${deed} of ${path} failed: ${describeFailure(error)}`, {
    object: path,
    ...(status === 401 || status === 403 ? { hint: "See that the credentials are right and may do this." } : {}),
  });
}
