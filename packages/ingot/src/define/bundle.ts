import { readFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader, Message, Plugin } from "esbuild";
import { IngotError, throwAll } from "../model/error.js";
import type { Position } from "../model/position.js";

/** Definitions files and all that they import, as one module. */
export interface Bundle {
  /** Text of the module: it exports `files`, an importing function by absolute path. */
  readonly code: string;
  /** Source map of `code`, without the sources' text; its paths are relative to the project's folder. */
  readonly map: string;
  /** Text of each file in the bundle, by absolute path. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Exported names of the modules that the running package stands for, such as `ingot`. */
export type OwnModules = Readonly<Record<string, readonly string[]>>;

/**
 * The start of the bundle's first line: takes what the load hands over, found by the unique name under which the
 * bundle is imported.
 */
const BANNER = `import { createRequire as __ingotRequire } from "node:module"; const __ingot = globalThis[Symbol.for("ingot.load")].get(import.meta.url), require = __ingotRequire(import.meta.url);`;
const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
  ".json": "json",
};

/**
 * Bundles definitions files with esbuild. Packages are found from the files' folders and bundled, Node's own modules
 * stay outside. A project's tsconfig.json is for the compiler and the editor: its `paths` lead nowhere here.
 *
 * @throws IngotError DEFINITIONS_FILE_FAILED for each syntax error and each import that leads nowhere
 */
export async function buildBundle(root: string, files: readonly string[], own: OwnModules): Promise<Bundle> {
  const { build } = await import("esbuild");
  const sources = new Map<string, string>();
  try {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [{ in: "ingot:files", out: "definitions" }],
      outdir: root,
      outExtension: { ".js": ".mjs" },
      write: false,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      charset: "utf8",
      sourcemap: "external",
      sourcesContent: false,
      // A package.json with `sideEffects: false` would drop definitions that nobody imports.
      ignoreAnnotations: true,
      tsconfigRaw: "{}",
      nodePaths: [],
      define: {
        "import.meta.url": "__ingotUrl",
        "import.meta.filename": "__ingotFilename",
        "import.meta.dirname": "__ingotDirname",
      },
      banner: { js: BANNER },
      logLevel: "silent",
      plugins: [ownModules(own), entry(root, files), userModules(sources)],
    });
    const output = (extension: string) => outputFiles.find((file) => file.path.endsWith(extension))?.text ?? "";
    return { code: output(".mjs"), map: output(".map"), sources };
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Message[] };
    if (errors === undefined) throw error;
    throwAll(errors.map((message) => toError(message, root, sources)));
    throw error;
  }
}

/** What stands before a file's text in the bundle, on its first line. */
function prefixOf(file: string, text: string): string {
  const enter = `__ingot.enter(${JSON.stringify(file)});`;
  if (!text.includes("import.meta")) return enter;
  const [url, name, folder] = [pathToFileURL(file).href, file, dirname(file)].map((value) => JSON.stringify(value));
  return `const __ingotUrl=${url},__ingotFilename=${name},__ingotDirname=${folder};${enter}`;
}

/** What stands after it. The declaration completes no unfinished statement, so a file that breaks off stays an error. */
function suffixOf(file: string): string {
  return `\nconst __ingotEnd=0;__ingot.leave(${JSON.stringify(file)});`;
}

function ownModules(own: OwnModules): Plugin {
  return {
    name: "own-modules",
    setup(build) {
      build.onResolve({ filter: /^ingot(\/|$)/ }, ({ path }) => {
        if (Object.hasOwn(own, path)) return { path, namespace: "ingot" };
        return {
          errors: [
            { text: `There is no module "${path}"`, notes: [{ text: `There are ${Object.keys(own).join(", ")}.` }] },
          ],
        };
      });
      build.onLoad({ filter: /^ingot/, namespace: "ingot" }, ({ path }) => ({
        contents: `export const { ${own[path]?.join(", ")} } = __ingot.modules[${JSON.stringify(path)}];`,
      }));
    },
  };
}

/** The bundle's entry: imports each file when asked, so that a file that fails does not stop the others. */
function entry(root: string, files: readonly string[]): Plugin {
  const imports = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(file)})`);
  return {
    name: "entry",
    setup(build) {
      build.onResolve({ filter: /^ingot:files$/ }, () => ({ path: "files", namespace: "ingot-entry" }));
      build.onLoad({ filter: /^files$/, namespace: "ingot-entry" }, () => ({
        contents: `export const files = { ${imports.join(", ")} };`,
        resolveDir: root,
      }));
    },
  };
}

/** Marks where each file's top level begins and ends, so that a declaration knows which file it belongs to. */
function userModules(sources: Map<string, string>): Plugin {
  return {
    name: "user-modules",
    setup(build) {
      build.onLoad({ filter: /\.([cm]?[jt]s|[jt]sx|json)$/ }, async ({ path }) => {
        const text = stripMark(await readFile(path, "utf8"));
        sources.set(path, text);
        const loader = LOADERS[extname(path)] ?? "js";
        if (loader === "json") return { contents: text, loader };
        const body = text.startsWith("#!") ? `//${text.slice(2)}` : text;
        return { contents: prefixOf(path, text) + body + suffixOf(path), loader };
      });
    },
  };
}

export function stripMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function toError({ text, notes, location }: Message, root: string, sources: ReadonlyMap<string, string>): IngotError {
  const message = text.replaceAll(/"ingot:(ingot[^"]*)"/g, '"$1"');
  const hint = hintFor(message, notes.map((note) => note.text).join(" "));
  if (location === null) return new IngotError("DEFINITIONS_FILE_FAILED", message, hint === "" ? {} : { hint });
  const file = resolve(root, location.file);
  const source = sources.get(file);
  const lines = source?.split("\n") ?? [];
  // Beyond the last line stands what was put after the text.
  if (source !== undefined && location.line > lines.length) {
    const end = { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    return new IngotError("DEFINITIONS_FILE_FAILED", "The file ends too early", { at: end });
  }
  // esbuild counts columns in bytes, from 0.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const at = withoutPrefix({ file, line: location.line, column: before.length + 1 }, source);
  return new IngotError("DEFINITIONS_FILE_FAILED", message, hint === "" ? { at } : { at, hint });
}

/** A place in a bundled file's text as the place in the file itself. */
export function withoutPrefix({ file, line, column }: Position, text: string | undefined): Position {
  const shift = line === 1 && text !== undefined && extname(file) !== ".json" ? prefixOf(file, text).length : 0;
  return { file, line, column: Math.max(1, column - shift) };
}

function hintFor(message: string, notes: string): string {
  const missing = /^Could not resolve "(.*)"/.exec(message)?.[1];
  if (missing === undefined) return notes;
  if (/^[./]/.test(missing)) return "Check the path: it is relative to the file that imports it.";
  return `Install the package in the project's folder: npm install ${missing
    .split("/")
    .slice(0, missing.startsWith("@") ? 2 : 1)
    .join("/")}`;
}
