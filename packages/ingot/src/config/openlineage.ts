import { resolve } from "node:path";
import { IngotError } from "../model/error.js";
import { isPlainUrl } from "./plain-url.js";
import type { YamlMap } from "./yaml.js";

/** Who is told of runs in the form of OpenLineage. */
export interface OpenLineageSpec {
  /** Of the jobs. */
  readonly namespace: string;
  readonly target:
    | { readonly kind: "file"; readonly path: string }
    /** `token`: the variable of the environment that holds a bearer token. */
    | { readonly kind: "http"; readonly url: string; readonly token?: string };
}

/** The key `openlineage`. @throws IngotError PIPELINE_SPEC_… with the place */
export function readOpenLineage(map: YamlMap, root: string, pipeline: string): OpenLineageSpec | undefined {
  const given = map.map("openlineage");
  if (given === undefined) return undefined;
  const wrong = (key: string | undefined, what: string, hint: string) =>
    new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`openlineage${key === undefined ? "" : `.${key}`}\` ${what}`, {
      at: given.at(key),
      object: "openlineage",
      hint,
    });
  given.refuseUnknown(["namespace", "file", "url", "token"]);
  const [file, url, token] = [given.text("file"), given.text("url"), given.text("token")];
  const namespace = given.text("namespace") ?? pipeline;
  if ((file === undefined) === (url === undefined))
    throw wrong(undefined, "needs one target", "Write file: lineage.ndjson, or url: https://host/api/v1/lineage.");
  if (file !== undefined) {
    if (token !== undefined) throw wrong("token", "is for a url alone", "Leave it out.");
    return { namespace, target: { kind: "file", path: resolve(root, file) } };
  }
  if (url === undefined || !isPlainUrl(url))
    throw wrong("url", "is no address", "Write https://host/path, without a user or a password in it.");
  if (token !== undefined && !/^[A-Za-z_]\w*$/.test(token))
    throw wrong(
      "token",
      "is no name of a variable",
      "Write the variable's name here, and the token into the environment.",
    );
  return { namespace, target: { kind: "http", url, ...(token === undefined ? {} : { token }) } };
}
