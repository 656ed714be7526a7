import { localStore, type RemoteStore, type Store } from "@ingot/delta";
import { IngotError } from "../model/error.js";
import { adlsStore } from "./adls-store.js";
import type { Environment } from "./environment.js";
import { gcsStore } from "./gcs-store.js";
import { s3Store } from "./s3-store.js";

/** Finds the store of a path; the same one for all paths of a kind, so that connections are shared. */
export type StoreFor = (path: string) => Store | RemoteStore;

const CLOUDS = new Map([
  ["s3", s3Store],
  ["s3a", s3Store],
  ["abfss", adlsStore],
  ["abfs", adlsStore],
  ["gs", gcsStore],
]);

/**
 * A path without a scheme is local; `s3://`, `abfss://` and `gs://` are clouds. No cloud's SDK is loaded before a file
 * is asked for.
 *
 * @param environment where credentials and endpoints come from: `process.env`
 * @throws IngotError NOT_SUPPORTED for another scheme
 */
export function openStores(environment: Environment): StoreFor {
  const opened = new Map<unknown, RemoteStore>();
  return (path) => {
    const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(path)?.[1];
    if (scheme === undefined) return localStore;
    const open = CLOUDS.get(scheme);
    if (open === undefined) {
      throw new IngotError("NOT_SUPPORTED", `Ingot has no storage for ${scheme}: paths: ${path}`, {
        object: path,
        hint: "Use a local path, s3://, abfss:// or gs://.",
      });
    }
    const store = opened.get(open) ?? open(environment);
    opened.set(open, store);
    return store;
  };
}
