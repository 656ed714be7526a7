import type { BlobServiceClient, StoragePipelineOptions } from "@azure/storage-blob";
import type { ByteRange, RemoteStore } from "@ingot/delta";
import { optionalPackage } from "../engine/optional-package.js";
import { azureCredential } from "./azure-credential.js";
import type { Environment } from "./environment.js";
import { httpStatus, MARK, type ObjectClient, type Page } from "./object-client.js";
import { type ObjectPlace, objectStore } from "./object-store.js";

type Sdk = typeof import("@azure/storage-blob");

const PIPELINE: StoragePipelineOptions = {
  retryOptions: { maxTries: 5, tryTimeoutInMs: 60_000, retryDelayInMs: 200, maxRetryDelayInMs: 10_000 },
};
/** How often a body that breaks off is taken up where it broke. */
const BODY_TRIES = 5;
/** Parts of a large file, and how many are under way at once. */
const BLOCK = 16 * 2 ** 20;
const BLOCKS_AT_ONCE = 4;

/**
 * Azure Data Lake Storage Gen2 and OneLake, by the Blob API that both have: it creates conditionally in one request.
 * Credentials: `AZURE_STORAGE_CONNECTION_STRING`, `AZURE_STORAGE_KEY`, `AZURE_STORAGE_SAS_TOKEN` where they are for the
 * account, else `DefaultAzureCredential`: service principal, workload identity, managed identity, `az login`.
 *
 * @param pageSize most entries of a listing's page; the service's 5,000 when undefined
 */
export function adlsStore(environment: Environment, pageSize?: number): RemoteStore {
  return objectStore(parseAdls, (bucket) => connect(environment, bucket, pageSize));
}

/** `abfss://container@account.dfs.core.windows.net/path`; the bucket is `container@host`. */
export function parseAdls(path: string): ObjectPlace | undefined {
  const [, bucket, key] = /^abfss?:\/\/([^/@]+@[^/@]+)(?:\/(.*))?$/s.exec(path) ?? [];
  return bucket === undefined ? undefined : { bucket, key: key ?? "" };
}

async function connect(env: Environment, bucket: string, pageSize: number | undefined): Promise<ObjectClient> {
  const sdk = await optionalPackage("abfss:// paths need", "@azure/storage-blob", () => import("@azure/storage-blob"));
  const [name = "", host = ""] = bucket.split("@");
  const container = (await openService(sdk, env, host)).getContainerClient(name);

  async function* list(prefix: string): AsyncIterable<Page> {
    const settings = pageSize === undefined ? {} : { maxPageSize: pageSize };
    for await (const { segment } of container.listBlobsByHierarchy("/", { prefix }).byPage(settings)) {
      yield {
        folders: (segment.blobPrefixes ?? []).map((folder) => folder.name),
        files: segment.blobItems.map(({ name: key, properties }) => ({
          key,
          size: properties.contentLength ?? 0,
          modified: properties.lastModified,
        })),
      };
    }
  }

  async function get(key: string, range: ByteRange | undefined): Promise<Uint8Array | undefined> {
    const blob = container.getBlobClient(key);
    try {
      const { offset = 0, length } = range ?? {};
      // Azure has no ranges from the end.
      const start = offset < 0 ? Math.max(((await blob.getProperties()).contentLength ?? 0) + offset, 0) : offset;
      // At least one byte, which tells an absent blob from an empty range.
      const count = length === undefined ? undefined : Math.max(length, 1);
      const { readableStreamBody } = await blob.download(start, count, { maxRetryRequests: BODY_TRIES });
      const chunks: Buffer[] = [];
      for await (const chunk of readableStreamBody ?? []) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).subarray(0, length);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (httpStatus(error) === 416) return new Uint8Array();
      throw error;
    }
  }

  async function create(key: string, content: Uint8Array, mark: string): Promise<boolean> {
    try {
      await container.getBlockBlobClient(key).upload(content, content.length, {
        conditions: { ifNoneMatch: "*" },
        metadata: { [MARK]: mark },
      });
      return true;
    } catch (error) {
      // 409 stands for other faults too, such as a folder of this name.
      const isTaken = httpStatus(error) === 412 || errorCode(error) === "BlobAlreadyExists";
      if (isTaken) return false;
      throw error;
    }
  }

  async function markOf(key: string): Promise<string | undefined> {
    return (await container.getBlobClient(key).getProperties()).metadata?.[MARK];
  }

  return {
    list,
    get,
    create,
    markOf,
    put: async (key, content) => void (await container.getBlockBlobClient(key).upload(content, content.length)),
    delete: async (key) => void (await container.getBlobClient(key).deleteIfExists()),
    upload: async (localPath, key) =>
      void (await container
        .getBlockBlobClient(key)
        .uploadFile(localPath, { blockSize: BLOCK, maxSingleShotSize: BLOCK, concurrency: BLOCKS_AT_ONCE })),
    unproven: false,
  };
}

async function openService(sdk: Sdk, environment: Environment, host: string): Promise<BlobServiceClient> {
  const account = host.split(".")[0] ?? "";
  const endpoint = `https://${host.replace(".dfs.", ".blob.")}`;
  const credential = azureCredential(environment, account);
  switch (credential.kind) {
    case "connection string":
      return sdk.BlobServiceClient.fromConnectionString(credential.secret, PIPELINE);
    case "key": {
      const key = new sdk.StorageSharedKeyCredential(account, credential.secret);
      return new sdk.BlobServiceClient(endpoint, key, PIPELINE);
    }
    case "SAS token":
      return new sdk.BlobServiceClient(`${endpoint}?${credential.secret}`, undefined, PIPELINE);
    case "identity": {
      const who = "abfss:// paths without a key, SAS token or connection string need";
      const identity = await optionalPackage(who, "@azure/identity", () => import("@azure/identity"));
      return new sdk.BlobServiceClient(endpoint, new identity.DefaultAzureCredential(), PIPELINE);
    }
  }
}

function errorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** A container that is not there is a mistake to be told, not an absent file. */
function isAbsent(error: unknown): boolean {
  return httpStatus(error) === 404 && errorCode(error) !== "ContainerNotFound";
}
