import { isAbsolute, join, relative } from "node:path";
import type { BatchInput, Manifest } from "../model/batch.js";

/**
 * A manifest as it is stored: paths below the spec's folder are relative to it. So a project that is moved, mounted
 * elsewhere or run by somebody else knows its files and tables again, and reads none of them twice.
 *
 * @param root folder of the spec
 */
export function toStored(manifest: Manifest, root: string): Manifest {
  return mapPaths(manifest, (path) => storedPath(path, root));
}

/** The same manifest with absolute paths again. */
export function fromStored(manifest: Manifest, root: string): Manifest {
  return mapPaths(manifest, (path) => fullPath(path, root));
}

export function storedPath(path: string, root: string): string {
  const short = relative(root, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}

export function fullPath(path: string, root: string): string {
  return isAbsolute(path) ? path : join(root, path);
}

function mapPaths(manifest: Manifest, map: (path: string) => string): Manifest {
  const inputs = Object.entries(manifest.inputs).map(([key, input]) => [mapKey(key, map), mapInput(input, map)]);
  return { ...manifest, inputs: Object.fromEntries(inputs) };
}

/** The source of a table holds its folder (`plan/inputs.ts`); that of files holds a path as it was written. */
export function mapKey(key: string, map: (path: string) => string): string {
  const [, head, path, rest = ""] = /^(\w+ (?:table|changes) )(.+?)((?: version \d+)?(?: \{.*\})?)$/s.exec(key) ?? [];
  return head === undefined || path === undefined ? key : `${head}${map(path)}${rest}`;
}

function mapInput(input: BatchInput, map: (path: string) => string): BatchInput {
  if (input.kind !== "files") return input;
  const { files, passed } = input;
  return {
    ...input,
    files: files.map((file) => ({ ...file, path: map(file.path) })),
    ...(passed === undefined ? {} : { passed: passed.map((file) => ({ ...file, path: map(file.path) })) }),
  };
}
