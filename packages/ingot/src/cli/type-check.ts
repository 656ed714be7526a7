import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Spec } from "../config/spec.js";
import { IngotError } from "../model/error.js";
import { compilerConfig } from "./project-template.js";

/**
 * What the TypeScript compiler says about a project, by its own tsconfig.json; where it has none, about its definitions.
 *
 * @throws IngotError TYPESCRIPT_NOT_FOUND
 */
export async function findTypeErrors(spec: Spec): Promise<IngotError[]> {
  const args = [findCompiler(spec.root), "-p", configOf(spec), "--noEmit", "--pretty", "false"];
  const { failed, output } = await run(args, spec.root);
  if (!failed) return [];
  const errors = parseDiagnostics(output, spec.root);
  return errors.length > 0 ? errors : [new IngotError("TYPE_ERROR", output.trim())];
}

/**
 * The script of the compiler: the project's own, else one beside the running package.
 *
 * @param own a file of the running package
 * @throws IngotError TYPESCRIPT_NOT_FOUND
 */
export function findCompiler(root: string, own = import.meta.url): string {
  for (const from of [join(root, "package.json"), own]) {
    try {
      const file = createRequire(from).resolve("typescript/package.json");
      const { bin } = JSON.parse(readFileSync(file, "utf8")) as { readonly bin: { readonly tsc: string } };
      return join(dirname(file), bin.tsc);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new IngotError("TYPESCRIPT_NOT_FOUND", `There is no TypeScript compiler for ${root}`, {
    object: root,
    hint: "Install it in the project's folder (npm install --save-dev typescript). Without it, `ingot dry-run` checks all but the types of .ts files.",
  });
}

function configOf({ root, storage, definitionFiles }: Spec): string {
  const own = join(root, "tsconfig.json");
  if (existsSync(own)) return own;
  const made = join(storage, "_cache", "tsconfig.json");
  const files = [...definitionFiles.filter((file) => file.endsWith(".ts")), join(root, "ingot-env.d.ts")];
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, JSON.stringify({ ...compilerConfig(), files }));
  return made;
}

function run(args: readonly string[], cwd: string): Promise<{ readonly failed: boolean; readonly output: string }> {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
  });
}

/** `file(line,column): error TS2345: message`, or `error TS18003: message`; what is said further is indented. */
function parseDiagnostics(output: string, root: string): IngotError[] {
  return output.split(/\r?\n(?=\S)/).flatMap((text) => {
    const found = /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+: [\s\S]*?)\s*$/.exec(text);
    if (found === null) return [];
    const [, file, line, column, message = ""] = found;
    const at =
      file === undefined ? {} : { at: { file: resolve(root, file), line: Number(line), column: Number(column) } };
    return [new IngotError("TYPE_ERROR", message, at)];
  });
}
