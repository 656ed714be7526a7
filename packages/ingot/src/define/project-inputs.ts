import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";
import type { ProjectInputs } from "./scope.js";

/** One thing that a load depended on, with a hash of what it was. */
export interface LoadInput {
  /** `module`: a bundled file; the rest is what `readJson`, `fileExists`, `listFiles` and `config` were asked. */
  readonly kind: "module" | "file" | "exists" | "glob" | "configuration";
  /** Absolute path; for a glob the pattern, for the configuration the key. */
  readonly path: string;
  readonly hash: string;
}

/**
 * The project's settings and files. Paths are relative to `folder`; each answer is remembered in `inputs`.
 */
export function createProjectInputs(
  folder: string,
  configuration: Readonly<Record<string, string>>,
): ProjectInputs & { readonly inputs: readonly LoadInput[] } {
  const inputs: LoadInput[] = [];
  const remember = (kind: LoadInput["kind"], path: string, answer: string): void => {
    inputs.push({ kind, path, hash: hashText(answer) });
  };
  return {
    inputs,
    configuration,
    readKey(key) {
      const value = Object.hasOwn(configuration, key) ? configuration[key] : undefined;
      remember("configuration", key, JSON.stringify([value]));
      return value;
    },
    async readText(path, at) {
      const file = localPath(folder, path, at);
      try {
        const text = await readFile(file, "utf8");
        remember("file", file, text);
        return text;
      } catch (cause) {
        remember("exists", file, "false");
        throw new IngotError("FILE_NOT_READABLE", `${path} cannot be read: ${(cause as Error).message}`, {
          at,
          object: path,
          hint: "Paths are relative to the spec's folder.",
          cause,
        });
      }
    },
    async exists(path, at) {
      const file = localPath(folder, path, at);
      const found = await stat(file).then(
        () => true,
        () => false,
      );
      remember("exists", file, String(found));
      return found;
    },
    async list(glob, at) {
      refuseUri(glob, at);
      const { glob: find } = await import("tinyglobby");
      const found = await find(glob, { cwd: folder, expandDirectories: false });
      found.sort();
      remember("glob", glob, found.join("\n"));
      return Object.freeze(found);
    },
  };
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function localPath(folder: string, path: string, at: Position): string {
  if (path.startsWith("file:")) return fileURLToPath(path);
  refuseUri(path, at);
  return resolve(folder, path);
}

function refuseUri(path: string, at: Position): void {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(path)?.[1];
  if (scheme === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `Files at ${scheme}: cannot be read while a project loads`, {
    at,
    object: path,
    hint: "Keep the file beside the spec; read_files may still read its data from there.",
  });
}
