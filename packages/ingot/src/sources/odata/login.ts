import type { ExtractSpec } from "../../config/extracts.js";
import { IngotError } from "../../model/error.js";
import { ServiceFault } from "./fault.js";

/** How a reader says who it is. */
export interface Login {
  /** Who it is, for the selection that a token belongs to; never shown. */
  readonly user: string;
  /** Whether a refusal may mean that a token ran out. A password is not tried again: SAP locks its user. */
  readonly expires: boolean;
  /**
   * The header `authorization`; undefined where there is no login.
   *
   * @param again the last one was refused
   * @throws ServiceFault where no token can be had
   */
  header(again: boolean, signal: AbortSignal): Promise<string | undefined>;
}

/** @throws IngotError CONFIG_MISSING for a variable that the environment lacks */
export function openLogin(
  { name, login, at }: Pick<ExtractSpec, "name" | "login" | "at">,
  env: Readonly<Record<string, string | undefined>>,
  send: typeof fetch,
): Login {
  const read = (variable: string): string => {
    const value = env[variable] ?? "";
    if (value !== "") return value;
    throw new IngotError("CONFIG_MISSING", `The extract ${name} needs the environment variable ${variable}`, {
      at,
      object: variable,
      hint: "Set it in the environment of the command: the spec names variables, never their values.",
    });
  };
  if (login === undefined) return { user: "", expires: false, header: async () => undefined };
  if (login.kind === "basic") {
    const [user, password] = [read(login.user), read(login.password)];
    const header = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    return { user, expires: false, header: async () => header };
  }
  const [client, secret] = [read(login.clientId), read(login.clientSecret)];
  let known: string | undefined;
  return {
    user: client,
    expires: true,
    async header(again, signal) {
      if (again) known = undefined;
      known ??= `Bearer ${await fetchToken(login.tokenUrl, client, secret, send, signal)}`;
      return known;
    },
  };
}

/** The client credentials grant of OAuth 2 (RFC 6749, 4.4). */
async function fetchToken(
  url: string,
  client: string,
  secret: string,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<string> {
  const basic = Buffer.from(`${encodeURIComponent(client)}:${encodeURIComponent(secret)}`).toString("base64");
  const response = await send(url, {
    method: "POST",
    headers: {
      authorization: `Basic ${basic}`,
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    },
    body: "grant_type=client_credentials",
    redirect: "manual",
    signal,
  });
  // The body may repeat what was sent.
  const body = await response.text();
  if (!response.ok) throw new ServiceFault(response.status, "the server of `tokenUrl` gives no token");
  try {
    const { access_token: token } = JSON.parse(body) as { access_token?: unknown };
    if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  } catch {
    // No JSON: told below.
  }
  throw new ServiceFault(401, "the server of `tokenUrl` answers without a token");
}
