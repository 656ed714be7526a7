import { IngotError } from "../../model/error.js";

/** What a service answered instead of data. */
export class ServiceFault extends Error {
  /** Of HTTP; undefined where no answer came. */
  readonly status: number | undefined;
  /** What the service says, in one line. */
  readonly reason: string;

  constructor(status: number | undefined, reason: string) {
    super(status === undefined ? reason : `HTTP ${status}: ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}

/** An answer that no rows can be taken from. */
export function invalidPage(what: string, hint: string, cause?: unknown): IngotError {
  return new IngotError("EXTRACT_PAGE_INVALID", `The service's answer ${what}`, { hint, cause });
}

const LONGEST_REASON = 300;

/**
 * What the body of a failed answer says: the message of OData's error, V2 or V4, or the title of a web page. Never more of
 * it, since it may hold rows.
 */
export function reasonOf(body: string): string {
  const text = messageOf(body) ?? titleOf(body) ?? "no reason is given";
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

function messageOf(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: string | { value?: string } } };
    const message = typeof error?.message === "object" ? error.message.value : error?.message;
    return typeof message === "string" ? message : undefined;
  } catch {
    const [, text] = /<message\b[^>]*>([^<]*)<\/message>/i.exec(body) ?? [];
    return text;
  }
}

function titleOf(body: string): string | undefined {
  if (!isWebPage(body)) return undefined;
  const [, title] = /<title\b[^>]*>([^<]*)<\/title>/i.exec(body) ?? [];
  return title === undefined || title.trim() === "" ? "a web page" : `a web page, "${title.trim()}"`;
}

export function isWebPage(body: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(body);
}

/** A failed answer as the user sees it. @param what that was asked for: `extracts.orders` */
export function toExtractError({ status, reason, message }: ServiceFault, what: string): IngotError {
  const options = (hint: string) => ({ object: what, hint });
  if (status === 401 || status === 403)
    return new IngotError(
      "EXTRACT_NOT_AUTHORIZED",
      `The service of ${what} refuses its reader: ${message}`,
      options(
        status === 401
          ? "Check the values of the variables that the spec names, and whether the user is locked."
          : "Let the user be authorized for the service (S_SERVICE) and for the ODP (S_RO_OSOA, or the rights of the CDS view).",
      ),
    );
  if (status === undefined)
    return new IngotError(
      "EXTRACT_REQUEST_FAILED",
      `The service of ${what} cannot be reached: ${reason}`,
      options("Check its address and the way to it; nothing was landed, run it again."),
    );
  return new IngotError(
    "EXTRACT_REQUEST_FAILED",
    `The service of ${what} fails: ${message}`,
    options(
      status === 404
        ? "Check `service` and `entitySet`, and whether the service is active (transaction /IWFND/MAINT_SERVICE)."
        : "Nothing was landed. Run it again; where it goes on, look into transaction /IWFND/ERROR_LOG.",
    ),
  );
}
