import { relative, resolve } from "node:path";
import { IngotError, throwAll } from "../model/error.js";
import type { Position } from "../model/position.js";
import { resolveLocation } from "./location.js";
import { isPlainUrl } from "./plain-url.js";
import type { YamlMap } from "./yaml.js";

/** A set of an OData service whose rows land as files: `ingot extract`. */
export interface ExtractSpec {
  readonly name: string;
  readonly at: Position;
  /** Root of the service, without a slash at its end. */
  readonly service: string;
  readonly entitySet: string;
  /** The folder in which the files appear. */
  readonly landing: string;
  /** SAP's client (`sap-client`). */
  readonly client?: string;
  readonly login?: LoginSpec;
  /** Rows of a page that the service is asked for. */
  readonly pageSize?: number;
  readonly select?: readonly string[];
  readonly filter?: string;
  /** Whose dictionary says the key of `table`; undefined: the only source, or none. */
  readonly source?: string;
  /** Where the key comes from: it is never the one that the service declares. */
  readonly key: { readonly table: string } | { readonly columns: readonly string[] };
  /** `tracked`: a load, then changes by tokens. `none`: each time a load. */
  readonly changes: "tracked" | "none";
  /** `server`: by the links of the service. `key`: by conditions on the key, where the service has no pages. */
  readonly paging: "server" | "key";
}

/** How a service knows its reader. All but the address are names of variables of the environment. */
export type LoginSpec =
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "oauth"; readonly tokenUrl: string; readonly clientId: string; readonly clientSecret: string };

const BASIC = ["user", "password"] as const;
const OAUTH = ["tokenUrl", "clientId", "clientSecret"] as const;
const KEYS = [
  "service",
  "entitySet",
  "landing",
  "client",
  ...BASIC,
  ...OAUTH,
  "pageSize",
  "select",
  "filter",
  "source",
  "table",
  "keys",
  "changes",
  "paging",
];

/** The key `extracts`. @throws IngotError PIPELINE_SPEC_… with the place, all faults at once */
export function readExtracts(map: YamlMap, root: string): ExtractSpec[] {
  const errors: IngotError[] = [];
  const extracts = Object.entries(map.maps("extracts") ?? {}).flatMap(([name, extract]) => {
    try {
      return [readExtract(name, extract, root)];
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
      return [];
    }
  });
  throwAll(errors);
  refuseShared(extracts);
  return extracts;
}

type Wrong = (key: string | undefined, what: string, hint: string) => IngotError;

function readExtract(name: string, map: YamlMap, root: string): ExtractSpec {
  const wrong: Wrong = (key, what, hint) =>
    new IngotError(
      "PIPELINE_SPEC_INVALID_VALUE",
      `\`extracts.${key === undefined ? name : `${name}.${key}`}\` ${what}`,
      {
        at: map.at(key),
        object: `extracts.${name}`,
        hint,
      },
    );
  // It is part of paths.
  if (!/^\w+$/.test(name))
    throw wrong(undefined, "is no name of an extract", "A name has letters, digits and _ alone.");
  map.refuseUnknown(KEYS);
  const required = (key: string, example: string): string => {
    const value = map.text(key);
    if (value !== undefined && value.trim() !== "") return value;
    throw new IngotError("PIPELINE_SPEC_MISSING_REQUIRED_FIELD", `The spec lacks \`extracts.${name}.${key}\``, {
      at: map.at(),
      object: `extracts.${name}.${key}`,
      hint: `Write ${key}: ${example}.`,
    });
  };
  const login = readLogin(map, wrong);
  const service = serviceUrl(required("service", "https://host/sap/opu/odata/sap/ZORDERS_SRV"), login, wrong);
  const entitySet = required("entitySet", "FactsOfZORDERS");
  if (!/^\w+$/.test(entitySet))
    throw wrong("entitySet", "is no name of a set", "Write the name alone: FactsOfZORDERS; conditions go to `filter`.");
  const landing = resolveLocation(
    required("landing", "landing/VBAP"),
    root,
    `extracts.${name}.landing`,
    map.at("landing"),
  );
  if (relative(landing, root) === "")
    throw wrong("landing", "is the project's own folder", "Write a folder of its own.");
  const changes = map.oneOf("changes", ["tracked", "none"]) ?? "tracked";
  const paging = map.oneOf("paging", ["server", "key"]) ?? "server";
  const key = readKey(map, wrong);
  if (paging === "key" && changes === "tracked")
    throw wrong(
      "paging",
      "is key, and changes are tracked",
      "Conditions on the key would end the tracking: write `changes: none`, or leave `paging` out.",
    );
  if (paging === "key" && !("columns" in key))
    throw wrong("paging", "is key, and needs `keys`", "Name the columns of the key as the service does: keys: [ID].");
  const [client, pageSize, filter] = [map.text("client"), map.whole("pageSize"), map.text("filter")];
  if (client !== undefined && !/^\d{3}$/.test(client))
    throw wrong("client", `is ${client}`, 'A client has three digits: "100".');
  if (pageSize !== undefined && pageSize < 1)
    throw wrong("pageSize", "is less than 1", "Write how many rows a page has.");
  if (paging === "key" && pageSize === undefined)
    throw wrong("paging", "is key, and needs `pageSize`", "Write how many rows a page has: pageSize: 10000.");
  const select = columns(map, "select", wrong);
  const missing = "columns" in key ? key.columns.find((column) => select?.includes(column) === false) : undefined;
  if (missing !== undefined) throw wrong("select", `lacks ${missing} of the key`, "Add it: rows are told apart by it.");
  const source = map.text("source");
  return {
    name,
    at: map.at(),
    service,
    entitySet,
    landing,
    ...(client === undefined ? {} : { client }),
    ...(login === undefined ? {} : { login }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(select === undefined ? {} : { select }),
    ...(filter === undefined ? {} : { filter }),
    ...(source === undefined ? {} : { source }),
    key,
    changes,
    paging,
  };
}

function readKey(map: YamlMap, wrong: Wrong): ExtractSpec["key"] {
  const [table, keys] = [map.text("table"), columns(map, "keys", wrong)];
  if (table !== undefined && keys === undefined) return { table };
  if (table === undefined && keys !== undefined) return { columns: keys };
  throw wrong(
    undefined,
    "needs one key",
    "Write table: VBAP, whose key the dictionary knows, or keys: [VBELN, POSNR]; the key that a service declares is none.",
  );
}

function columns(map: YamlMap, key: string, wrong: Wrong): string[] | undefined {
  const names = map.items(key)?.map(({ value }) => {
    if (typeof value === "string" && value !== "" && !/[\s,]/.test(value)) return value;
    throw wrong(key, "holds what is no name of a column", "Write names: [VBELN, POSNR].");
  });
  if (names?.length === 0) throw wrong(key, "is empty", "Write names, or leave the key out.");
  return names;
}

function readLogin(map: YamlMap, wrong: Wrong): LoginSpec | undefined {
  const variable = (key: string): string => {
    const name = map.text(key);
    // What stands there may be the secret itself, and is not repeated.
    if (name === undefined)
      throw wrong(
        undefined,
        `lacks \`${key}\``,
        `Name the variable of the environment: ${key}: SAP_${key.toUpperCase()}.`,
      );
    if (/^[A-Za-z_]\w*$/.test(name)) return name;
    throw wrong(key, "is no name of a variable", "Write the variable's name here, and the value into the environment.");
  };
  const [basic, oauth] = [BASIC, OAUTH].map((keys) => keys.some((key) => map.text(key) !== undefined));
  if (basic && oauth)
    throw wrong(undefined, "has two logins", "Write user and password, or tokenUrl, clientId and clientSecret.");
  if (basic) return { kind: "basic", user: variable("user"), password: variable("password") };
  if (!oauth) return undefined;
  const tokenUrl = map.text("tokenUrl") ?? "";
  if (!isPlainUrl(tokenUrl))
    throw wrong("tokenUrl", "is no address", "Write https://host/path, without a user or a password in it.");
  if (!isPrivate(tokenUrl)) throw overHttp("tokenUrl", wrong);
  return { kind: "oauth", tokenUrl, clientId: variable("clientId"), clientSecret: variable("clientSecret") };
}

function serviceUrl(text: string, login: LoginSpec | undefined, wrong: Wrong): string {
  if (!isPlainUrl(text) || /[?#]/.test(text))
    throw wrong(
      "service",
      "is no address",
      "Write https://host/path of the service, without a user, a password or a query in it.",
    );
  if (login !== undefined && !isPrivate(text)) throw overHttp("service", wrong);
  return new URL(text).href.replace(/\/+$/, "");
}

const overHttp = (key: string, wrong: Wrong) =>
  wrong(key, "is http, and would carry credentials that anyone on the way can read", "Write https://….");

/** Whether nobody on the way can read what is sent: https, or this machine. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Two readers of one subscription would take each other's changes; two writers of one folder each other's names. */
function refuseShared(extracts: readonly ExtractSpec[]): void {
  const shares: readonly (readonly [what: string, of: (extract: ExtractSpec) => string | undefined])[] = [
    ["landing", ({ landing }) => resolve(landing)],
    [
      "subscription",
      ({ changes, service, entitySet, client, select, filter }) =>
        changes === "none" ? undefined : JSON.stringify([service, entitySet, client, select, filter]),
    ],
  ];
  for (const [what, of] of shares) {
    const seen = new Map<string, ExtractSpec>();
    for (const extract of extracts) {
      const shared = of(extract);
      if (shared === undefined) continue;
      const other = seen.get(shared);
      seen.set(shared, extract);
      if (other === undefined) continue;
      throw new IngotError(
        "PIPELINE_SPEC_INVALID_VALUE",
        `\`extracts.${extract.name}\` has the ${what} of \`extracts.${other.name}\``,
        {
          at: extract.at,
          object: `extracts.${extract.name}`,
          hint:
            what === "landing" ? "Give each a folder of its own." : "One reader has a subscription: keep one of them.",
        },
      );
    }
  }
}
