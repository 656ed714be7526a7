import { IngotError } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";
import type { Api } from "./api-types.js";
import { badOption } from "./options.js";
import type { ProjectInputs, Scope } from "./scope.js";

type Functions = Pick<Api, "config" | "readJson" | "fileExists" | "listFiles" | "notice">;

/** The functions that read the project's settings and files while it loads. */
export function createProjectFunctions(scope: Scope): Functions {
  const inputs = (call: string, at: Position): ProjectInputs => {
    if (scope.project !== undefined) return scope.project;
    throw new IngotError("OUTSIDE_LOAD", `${call} was called while no project loads`, {
      at,
      hint: "In a test, load the definitions with loadProject(dir, { configuration, files }) of ingot/testing.",
    });
  };

  const config = (key: string, fallback?: string): string => {
    const at = scope.places.callSite(config);
    const value = scope.project?.readKey(key) ?? fallback;
    if (value !== undefined) return value;
    if (scope.project === undefined) inputs(`config(${JSON.stringify(key)})`, at);
    throw missingKey(key, Object.keys(scope.project?.configuration ?? {}), at);
  };

  const textOf = (call: string, value: unknown, at: Position): string => {
    if (typeof value === "string" && value !== "") return value;
    throw new IngotError("BAD_OPTION", `${call} takes a path`, { at, hint: "Give it relative to the spec's folder." });
  };
  const readJson = async <T>(path: string): Promise<T> => {
    const at = scope.places.callSite(readJson);
    const text = await inputs("readJson()", at).readText(textOf("readJson()", path, at), at);
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      const message = `readJson(${JSON.stringify(path)}): the file is not JSON: ${(cause as Error).message}`;
      throw new IngotError("DEFINITIONS_FILE_FAILED", message, { at, object: path, cause });
    }
  };
  const fileExists = async (path: string): Promise<boolean> => {
    const at = scope.places.callSite(fileExists);
    return inputs("fileExists()", at).exists(textOf("fileExists()", path, at), at);
  };
  const listFiles = async (glob: string): Promise<readonly string[]> => {
    const at = scope.places.callSite(listFiles);
    return inputs("listFiles()", at).list(textOf("listFiles()", glob, at), at);
  };

  const notice = (message: string, level: "INFO" | "WARN" = "INFO"): void => {
    const at = scope.places.callSite(notice);
    inputs("notice()", at);
    if (level !== "INFO" && level !== "WARN") {
      badOption(scope, { text: "notice()", at }, "notice(): the level must be INFO or WARN");
    }
    scope.declare("notices", { level, message: String(message), at });
  };

  return { config, readJson, fileExists, listFiles, notice };
}

function missingKey(key: string, known: readonly string[], at: Position): IngotError {
  const near = nearest(key, known);
  const listed = known.length === 0 ? "none" : [...known].sort().join(", ");
  return new IngotError("CONFIG_MISSING", `The configuration has no key \`${key}\``, {
    at,
    object: key,
    hint: `${near === undefined ? "" : `Did you mean \`${near}\`? `}Set it under \`configuration\` in the spec, by --set ${key}=…, or give config() a fallback. Keys of the spec: ${listed}.`,
  });
}
