import type { ByteRange } from "@ingot/delta";

/** One page of what lies directly under a prefix. */
export interface Page {
  /** Whole prefixes, with their last `/`. */
  readonly folders: readonly string[];
  readonly files: readonly { readonly key: string; readonly size: number; readonly modified: Date | undefined }[];
}

/**
 * What a cloud's service is asked for: one bucket, or container, by keys. Its own retries are left on. A failure is
 * whatever its SDK throws; `describeFailure` makes words of it.
 */
export interface ObjectClient {
  /**
   * @param prefix empty, or with a `/` at its end
   * @param after keys up to this one may be left out
   */
  list(prefix: string, after: string | undefined): AsyncIterable<Page>;
  /** Undefined when the object is absent; empty where the range begins behind its end. */
  get(key: string, range: ByteRange | undefined): Promise<Uint8Array | undefined>;
  /** Creates the object with a mark of its writer; false when the key is taken, be it by this very request's first try. */
  create(key: string, content: Uint8Array, mark: string): Promise<boolean>;
  /** The mark of the object, undefined when it has none. Rejects with HTTP 404 when the object is absent. */
  markOf(key: string): Promise<string | undefined>;
  put(key: string, content: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
  upload(localPath: string, key: string): Promise<void>;
  /** The service is not the cloud's own: whether it honours conditional creation is to be seen before it is relied on. */
  readonly unproven: boolean;
}

/** The name under which an object's metadata hold its writer's mark: letters only, as Azure asks. */
export const MARK = "ingotwriter";

/** Undefined where no answer came. */
export function httpStatus(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { $metadata, statusCode, code } = error as {
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly statusCode?: unknown;
    readonly code?: unknown;
  };
  // S3, Azure, Google, in this order.
  return [$metadata?.httpStatusCode, statusCode, code].find((status) => typeof status === "number") as
    | number
    | undefined;
}

/** An error in words, without the request that it came from: requests carry signatures. */
export function describeFailure(error: unknown): string {
  const status = httpStatus(error);
  const answer = status === undefined ? "" : ` (HTTP ${status})`;
  if (!(error instanceof Error)) return `unknown error${answer}`;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const [firstLine = ""] = error.message.split("\n");
  return `${code}: ${firstLine.replace(/\b(sig|signature|X-Amz-\w+|X-Goog-\w+)=[^&\s"]+/gi, "$1=…")}${answer}`;
}
