import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** The project of this folder and the examples, as a user's compiler sees them. */
function createProject(): ts.Program {
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  return ts.createProgram(fileNames, options);
}

it("examples compile, and each marked misuse does not", () => {
  const program = createProject();
  const isOwn = (file: string) => file.startsWith(folder) || file.startsWith(examples);
  const own = program.getSourceFiles().filter((file) => isOwn(file.fileName));
  const found = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  const messages = [...program.getOptionsDiagnostics(), ...found].map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return `${file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  expect(messages).toEqual([]);

  const marked = own.flatMap(({ text }) => text.match(/^\s*\/\/ @ts-expect-error/gm) ?? []);
  expect(marked.length).toBeGreaterThanOrEqual(25);
});
