import ts from "typescript";

/**
 * A Markdown reference of all that a module exports: signature and doc comment, in the order and under the headings
 * (line comments) of the module itself.
 */
export function apiReference(entry: string): string {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    // Names are resolved, nothing is checked.
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = program.getSourceFile(entry);
  if (module === undefined) throw new Error(`${entry} cannot be read`);
  return module.statements.filter(ts.isExportDeclaration).map(section).join("\n\n");

  function section(statement: ts.ExportDeclaration): string {
    const heading = headingOf(statement);
    const names = statement.exportClause;
    if (names === undefined || !ts.isNamedExports(names)) throw new Error("exports are listed by name");
    const entries = names.elements.map((element) => describe(element)).join("\n\n");
    return heading === undefined ? entries : `## ${heading}\n\n${entries}`;
  }

  function headingOf(statement: ts.ExportDeclaration): string | undefined {
    const text = module?.text.slice(statement.getFullStart(), statement.getStart()) ?? "";
    return /^\/\/ (.*?)\.?$/m.exec(text)?.[1];
  }

  function describe(element: ts.ExportSpecifier): string {
    const name = element.name.text;
    const alias = checker.getSymbolAtLocation(element.name);
    const symbol = alias === undefined ? undefined : checker.getAliasedSymbol(alias);
    const declaration = symbol?.declarations?.[0];
    if (symbol === undefined || declaration === undefined) throw new Error(`${name} has no declaration`);
    const doc = docOf(declaration);
    const code = signatureOf(declaration).replace(new RegExp(`\\b${symbol.name}\\b`), name);
    return [`### \`${name}\``, doc, `\`\`\`ts\n${code}\n\`\`\``].filter((part) => part !== "").join("\n\n");
  }
}

/** The doc comment as running text; `@param` and `@throws` become list items. */
function docOf(declaration: ts.Node): string {
  const owner = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const comment = ts.getJSDocCommentsAndTags(owner).find(ts.isJSDoc);
  if (comment === undefined) return "";
  const text = ts.getTextOfJSDocComment(comment.comment) ?? "";
  const tags = (comment.tags ?? []).map((tag) => {
    const about = (ts.getTextOfJSDocComment(tag.comment) ?? "").replace(/\s*\n\s*/g, " ");
    if (ts.isJSDocParameterTag(tag)) return `- \`${tag.name.getText()}\`: ${about}`;
    return `- ${tag.tagName.text}: ${tag
      .getText()
      .replace(/^@\w+\s*/, "")
      .replace(/\s*\n\s*\*?\s*/g, " ")
      .trim()}`;
  });
  return [text, tags.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** A function without its body, a constant with its type, a type as it stands. */
function signatureOf(declaration: ts.Declaration): string {
  const source = declaration.getSourceFile();
  const text = (node: ts.Node) => node.getText(source);
  if (ts.isFunctionDeclaration(declaration) && declaration.body !== undefined) {
    return source.text.slice(declaration.getStart(source), declaration.body.getStart(source)).trim();
  }
  if (ts.isVariableDeclaration(declaration)) {
    return `export const ${text(declaration.name)}: ${declaration.type === undefined ? "unknown" : text(declaration.type)}`;
  }
  if (ts.isClassDeclaration(declaration)) {
    const members = declaration.members.filter(ts.isPropertyDeclaration).map((member) => `  ${text(member)}`);
    const base = declaration.heritageClauses?.map(text).join(" ") ?? "";
    return `export class ${declaration.name?.text} ${base} {\n${members.join("\n")}\n}`;
  }
  return text(declaration);
}
