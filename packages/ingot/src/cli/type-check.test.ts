import { afterAll, expect, it } from "vitest";
import { removeProjects, writeProject } from "../define/project-fixture.js";
import { findCompiler } from "./type-check.js";

afterAll(removeProjects);

const compiler = (bin: string) => ({
  "node_modules/typescript/package.json": `{"name": "typescript", "bin": {"tsc": "${bin}"}}`,
});

it("the compiler is the project's own, else one beside the running package", () => {
  const [project, beside, bare] = [
    writeProject(compiler("./a/tsc")),
    writeProject(compiler("b/tsc")),
    writeProject({}),
  ];
  expect(findCompiler(project, `${beside}/own.js`)).toBe(`${project}/node_modules/typescript/a/tsc`);
  expect(findCompiler(bare, `${beside}/own.js`)).toBe(`${beside}/node_modules/typescript/b/tsc`);
  expect(() => findCompiler(bare, `${bare}/own.js`)).toThrow(
    expect.objectContaining({ code: "TYPESCRIPT_NOT_FOUND", hint: expect.stringContaining("npm install") }),
  );
});
