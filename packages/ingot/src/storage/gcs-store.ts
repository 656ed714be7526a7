import type { ByteRange, RemoteStore } from "@ingot/delta";
import { optionalPackage } from "../engine/optional-package.js";
import type { Environment } from "./environment.js";
import { httpStatus, MARK, type ObjectClient, type Page } from "./object-client.js";
import { type ObjectPlace, objectStore } from "./object-store.js";

/**
 * Google Cloud Storage. Credentials: application default credentials, i.e. the file that
 * `GOOGLE_APPLICATION_CREDENTIALS` names, `gcloud auth application-default login`, or the machine's service account.
 * Another endpoint: `STORAGE_EMULATOR_HOST`, which is asked without credentials.
 *
 * @param pageSize most entries of a listing's page; the service's 1,000 when undefined
 */
export function gcsStore(environment: Environment, pageSize?: number): RemoteStore {
  return objectStore(parseGcs, (bucket) => connect(environment, bucket, pageSize));
}

/** `gs://bucket/key`. */
export function parseGcs(path: string): ObjectPlace | undefined {
  const [, bucket, key] = /^gs:\/\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? [];
  return bucket === undefined ? undefined : { bucket, key: key ?? "" };
}

async function connect(env: Environment, name: string, pageSize: number | undefined): Promise<ObjectClient> {
  const sdk = await optionalPackage("gs:// paths need", "@google-cloud/storage", () => import("@google-cloud/storage"));
  const [endpoint, keyFile] = [env["STORAGE_EMULATOR_HOST"], env["GOOGLE_APPLICATION_CREDENTIALS"]];
  const storage = new sdk.Storage({
    ...(endpoint === undefined ? {} : { apiEndpoint: endpoint }),
    ...(keyFile === undefined ? {} : { keyFilename: keyFile }),
    // All that is asked here may be repeated: a creation knows its own object by its mark.
    retryOptions: { maxRetries: 3, idempotencyStrategy: sdk.IdempotencyStrategy.RetryAlways },
    timeout: 60_000,
  });
  const bucket = storage.bucket(name);

  async function* list(prefix: string, after: string | undefined): AsyncIterable<Page> {
    const paging = {
      ...(pageSize === undefined ? {} : { maxResults: pageSize }),
      ...(after === undefined ? {} : { startOffset: after }),
    };
    let query: object | null = { prefix, delimiter: "/", autoPaginate: false, ...paging };
    while (query !== null) {
      const [files, next, answer]: [unknown, object | null, unknown] = await bucket.getFiles(query);
      yield {
        folders: (answer as { readonly prefixes?: readonly string[] }).prefixes ?? [],
        files: (files as readonly { name: string; metadata: Listed }[]).map(({ name: key, metadata }) => ({
          key,
          size: Number(metadata.size ?? 0),
          modified: metadata.updated === undefined ? undefined : new Date(metadata.updated),
        })),
      };
      query = next;
    }
  }

  async function get(key: string, range: ByteRange | undefined): Promise<Uint8Array | undefined> {
    try {
      const [content] = await bucket.file(key).download(range === undefined ? {} : bounds(range));
      return content.subarray(0, range?.length);
    } catch (error) {
      if (httpStatus(error) === 404) return undefined;
      if (httpStatus(error) === 416) return new Uint8Array();
      throw error;
    }
  }

  async function create(key: string, content: Uint8Array, mark: string): Promise<boolean> {
    try {
      await bucket.file(key).save(content, {
        resumable: false,
        preconditionOpts: { ifGenerationMatch: 0 },
        metadata: { metadata: { [MARK]: mark } },
      });
      return true;
    } catch (error) {
      if (httpStatus(error) === 412) return false;
      throw error;
    }
  }

  async function markOf(key: string): Promise<string | undefined> {
    const [{ metadata }] = await bucket.file(key).getMetadata();
    return metadata?.[MARK]?.toString();
  }

  return {
    list,
    get,
    create,
    markOf,
    put: (key, content) => bucket.file(key).save(content, { resumable: false }),
    delete: async (key) => void (await bucket.file(key).delete({ ignoreNotFound: true })),
    upload: async (localPath, key) => void (await bucket.upload(localPath, { destination: bucket.file(key) })),
    unproven: false,
  };
}

/** What a listing tells of an object. */
interface Listed {
  readonly size?: string | number;
  readonly updated?: string;
}

/** At least one byte, which tells an absent object from an empty range; a negative `end` means the last bytes. */
function bounds({ offset, length }: ByteRange): { start?: number; end?: number } {
  if (offset < 0) return { end: offset };
  return length === undefined ? { start: offset } : { start: offset, end: offset + Math.max(length, 1) - 1 };
}
