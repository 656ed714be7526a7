import { IngotError } from "../../../model/error.js";

/** Where a Spark Connect server is, and who asks. */
export interface Remote {
  /** `http://host:port`, or `https:` with TLS. */
  readonly baseUrl: string;
  readonly token?: string;
  readonly userId?: string;
  readonly userAgent?: string;
  /** A session that another client may have begun. */
  readonly sessionId?: string;
  /** Sent with every call, e.g. `x-databricks-cluster-id`. */
  readonly headers: Readonly<Record<string, string>>;
}

const DEFAULT_PORT = 15002;

/**
 * Reads Spark's connection string, `sc://host:port/;use_ssl=true;token=…;user_id=…;x-header=…` (Spark's
 * `client-connection-string.md`): values are percent-encoded; a token asks for TLS unless `use_ssl=false` stands there;
 * what is no parameter of Spark's is a header.
 *
 * @throws IngotError INVALID_CONNECT_URL
 */
export function parseRemote(text: string): Remote {
  const [, host, port, path] = /^sc:\/\/(\[[0-9a-f:.]+\]|[^:/;[\]?#]+)(?::(\d+))?(?:\/(.*))?$/is.exec(text) ?? [];
  if (host === undefined) throw invalid("it is not of the form sc://host:port/;key=value");
  if (path !== undefined && path !== "" && !path.startsWith(";")) throw invalid("parameters begin with /;");
  if (port !== undefined && Number(port) > 65_535) throw invalid(`${port} is no port`);
  const { token, use_ssl, user_id, user_agent, session_id, ...headers } = readParameters(path ?? "");
  if (use_ssl !== undefined && !/^(true|false)$/i.test(use_ssl)) throw invalid("use_ssl is true or false");
  const secure = use_ssl === undefined ? token !== undefined : use_ssl.toLowerCase() === "true";
  return {
    baseUrl: `${secure ? "https" : "http"}://${host}:${port ?? DEFAULT_PORT}`,
    ...(token === undefined ? {} : { token }),
    ...(user_id === undefined ? {} : { userId: user_id }),
    ...(user_agent === undefined ? {} : { userAgent: user_agent }),
    ...(session_id === undefined ? {} : { sessionId: session_id }),
    headers,
  };
}

function readParameters(text: string): Record<string, string> {
  const pairs = text.split(";").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf("=");
      // The text itself may hold a token: it is not repeated.
      if (end < 1 || end === pair.length - 1) throw invalid("a parameter is not of the form key=value");
      return [pair.slice(0, end), decode(pair.slice(end + 1))];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("a value has a % that begins no code");
  }
}

function invalid(why: string): IngotError {
  return new IngotError("INVALID_CONNECT_URL", `The remote cannot be read: ${why}.`, {
    hint: "Write sc://HOST:PORT, with parameters behind /; as in sc://HOST:443/;token=TOKEN.",
  });
}
