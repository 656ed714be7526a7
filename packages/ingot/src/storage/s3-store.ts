import { setTimeout } from "node:timers/promises";
import type { ByteRange, RemoteStore } from "@ingot/delta";
import { optionalPackage } from "../engine/optional-package.js";
import type { Environment } from "./environment.js";
import { httpStatus, MARK, type ObjectClient, type Page } from "./object-client.js";
import { type ObjectPlace, objectStore } from "./object-store.js";
import { uploadToS3 } from "./s3-upload.js";

/** A conflict with another conditional write of the same key that is still under way is over when that one is. */
const CONFLICT_TRIES = 10;

/**
 * Amazon S3, and services that speak its protocol. Credentials: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and
 * `AWS_SESSION_TOKEN`, else the SDK's chain (profiles, SSO, web identity, roles of containers and machines). Region:
 * `AWS_REGION`, `AWS_DEFAULT_REGION`, else the profile's. Another service: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`.
 *
 * @param pageSize most entries of a listing's page; the service's 1,000 when undefined
 */
export function s3Store(environment: Environment, pageSize?: number): RemoteStore {
  return objectStore(parseS3, (bucket) => connect(environment, bucket, pageSize));
}

/** `s3://bucket/key`, and `s3a:` as Hadoop has it. */
export function parseS3(path: string): ObjectPlace | undefined {
  const [, bucket, key] = /^s3a?:\/\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? [];
  return bucket === undefined ? undefined : { bucket, key: key ?? "" };
}

async function connect(env: Environment, bucket: string, pageSize: number | undefined): Promise<ObjectClient> {
  const sdk = await optionalPackage("s3:// paths need", "@aws-sdk/client-s3", () => import("@aws-sdk/client-s3"));
  const endpoint = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? (endpoint === undefined ? undefined : "us-east-1");
  const [accessKeyId, secretAccessKey] = [env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"]];
  const sessionToken = env["AWS_SESSION_TOKEN"];
  const client = new sdk.S3Client({
    ...(endpoint === undefined ? { followRegionRedirects: true } : { endpoint, forcePathStyle: true }),
    ...(region === undefined ? {} : { region }),
    ...(accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
      : {}),
    maxAttempts: 5,
    // By default the SDK waits for an answer without end.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });

  async function* list(prefix: string, after: string | undefined): AsyncIterable<Page> {
    let next: string | undefined;
    do {
      const page = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          Delimiter: "/",
          ...(after === undefined ? {} : { StartAfter: after }),
          ...(next === undefined ? {} : { ContinuationToken: next }),
          ...(pageSize === undefined ? {} : { MaxKeys: pageSize }),
        }),
      );
      yield {
        folders: (page.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix ?? []),
        files: (page.Contents ?? []).map(({ Key = "", Size = 0, LastModified }) => ({
          key: Key,
          size: Size,
          modified: LastModified,
        })),
      };
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  async function get(key: string, range: ByteRange | undefined): Promise<Uint8Array | undefined> {
    try {
      const Range = range === undefined ? {} : { Range: rangeHeader(range) };
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ...Range }));
      const content = (await Body?.transformToByteArray()) ?? new Uint8Array();
      return range?.length === undefined ? content : content.subarray(0, range.length);
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      if (httpStatus(error) === 416) return new Uint8Array();
      throw error;
    }
  }

  async function create(Key: string, Body: Uint8Array, mark: string): Promise<boolean> {
    for (let turn = 1; ; turn++) {
      try {
        const Metadata = { [MARK]: mark };
        await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body, IfNoneMatch: "*", Metadata }));
        return true;
      } catch (error) {
        const status = httpStatus(error);
        if (status === 412) return false;
        if (status !== 409 || turn === CONFLICT_TRIES) throw error;
        await setTimeout(50 * turn * (0.5 + Math.random()));
      }
    }
  }

  async function markOf(Key: string): Promise<string | undefined> {
    return (await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key }))).Metadata?.[MARK];
  }

  return {
    list,
    get,
    create,
    markOf,
    put: async (Key, Body) => void (await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body }))),
    delete: async (Key) => void (await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }))),
    upload: (localPath, key) => uploadToS3(sdk, client, localPath, bucket, key),
    unproven: endpoint !== undefined,
  };
}

/** At least one byte, which tells an absent object from an empty range. */
function rangeHeader({ offset, length }: ByteRange): string {
  if (offset < 0) return `bytes=${offset}`;
  return `bytes=${offset}-${length === undefined ? "" : offset + Math.max(length, 1) - 1}`;
}
