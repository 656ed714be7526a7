import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { IngotError } from "../../model/error.js";
import type { Io } from "../io.js";
import { projectFiles } from "../project-template.js";
import { displayPath } from "../report-error.js";

/** `ingot init NAME`: a small project that runs, in a new folder. */
export async function init(path: string, options: { readonly json?: boolean }, io: Io): Promise<number> {
  if (path.trim() === "") throw new IngotError("USAGE", "The project needs a name", { hint: "ingot init my_project" });
  const folder = resolve(io.cwd, path);
  const name = basename(folder);
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(name)) {
    throw new IngotError("USAGE", `\`${path}\` is no name for a project`, {
      hint: "Use letters, digits, - and _: ingot init my_project",
    });
  }
  if (existsSync(folder)) {
    throw new IngotError("PROJECT_EXISTS", `${folder} is there already`, {
      object: folder,
      hint: "Choose another name: init never writes into a folder that exists.",
    });
  }
  const files = projectFiles(name);
  for (const [file, text] of Object.entries(files)) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text, { flag: "wx" });
  }
  if (options.json === true) io.stdout.write(`${JSON.stringify({ project: folder, files: Object.keys(files) })}\n`);
  else {
    io.stdout.write(
      `Made ${displayPath(folder, io.cwd)}:\n${Object.keys(files)
        .map((f) => `  ${f}\n`)
        .join("")}`,
    );
    io.stderr.write(
      `next: ingot run --project ${JSON.stringify(displayPath(folder, io.cwd)).replace(/^"([\w./-]+)"$/, "$1")}\n`,
    );
  }
  return 0;
}
