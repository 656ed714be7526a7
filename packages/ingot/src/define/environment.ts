/** What `ingot-env.d.ts` tells the compiler of a project. */
export interface Environment {
  /** Table name, as short as the project's defaults allow → column name → Spark type as DDL text, in order. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Keys of the spec's `configuration`. */
  readonly configuration: ReadonlySet<string>;
}

/** The text of the file. Tables and keys stand in the order of their names, so that it changes only where they do. */
export function printEnvironment({ tables, configuration }: Environment): string {
  const sorted = [...tables].sort(([a], [b]) => compare(a, b));
  return `// Written by \`ingot types\` from the project's definitions and tables. Commit it; do not edit it.
import "ingot";

declare module "ingot" {
${printInterface(
  "Tables",
  sorted.flatMap(([table, columns]) => [
    `${propertyName(table)}: {`,
    ...[...columns].map(([column, type]) => `  ${propertyName(column)}: ${JSON.stringify(type)};`),
    "};",
  ]),
)}
${printInterface(
  "Configuration",
  [...configuration].sort(compare).map((key) => `${propertyName(key)}: string;`),
)}
}
`;
}

/** Reads a file back, also one that a formatter has changed. What is in it beside our two interfaces does not count. */
export function readEnvironment(text: string): Environment {
  const words = [...text.matchAll(WORD)].flatMap(([word]) => (word.startsWith("/") ? [] : [word]));
  const tables = new Map<string, ReadonlyMap<string, string>>();
  for (const [name, body] of readMembers(wordsOf(words, "Tables"))) {
    tables.set(name, new Map(readMembers(body.slice(1, -1)).map(([column, [type = ""]]) => [column, unquote(type)])));
  }
  return { tables, configuration: new Set(readMembers(wordsOf(words, "Configuration")).map(([key]) => key)) };
}

/** What a project's file says otherwise than its definitions, one sentence each; none where both say the same. */
export function compareEnvironments(file: Environment, made: Environment): string[] {
  const found: string[] = [];
  for (const [name, columns] of made.tables) {
    const old = file.tables.get(name);
    found.push(...(old === undefined ? [`${name} is missing`] : compareColumns(name, old, columns)));
  }
  for (const name of file.tables.keys()) if (!made.tables.has(name)) found.push(`there is no table ${name}`);
  for (const key of made.configuration)
    if (!file.configuration.has(key)) found.push(`the configuration key ${key} is missing`);
  for (const key of file.configuration)
    if (!made.configuration.has(key)) found.push(`there is no configuration key ${key}`);
  return found;
}

function compareColumns(table: string, old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [column, type] of now) {
    const before = old.get(column);
    if (before === undefined) found.push(`${table}.${column} is missing`);
    else if (before !== type) found.push(`${table}.${column} is ${type}, not ${before}`);
  }
  for (const column of old.keys()) if (!now.has(column)) found.push(`${table} has no column ${column}`);
  return found;
}

function printInterface(name: string, lines: readonly string[]): string {
  const body = lines.map((line) => `    ${line}\n`).join("");
  return `  interface ${name} {${body === "" ? "" : `\n${body}  `}}`;
}

const BARE = /^[A-Za-z_$][\w$]*$/;

function propertyName(name: string): string {
  return BARE.test(name) ? name : JSON.stringify(name);
}

/** Comments, strings, names and brackets; what stands between members (`;`, `,`, `:`) tells nothing. */
const WORD = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+|[{}]/g;

/** The words within the braces of an interface. */
function wordsOf(words: readonly string[], name: string): readonly string[] {
  const start = words.findIndex((word, i) => word === "interface" && words[i + 1] === name) + 2;
  return start === 1 ? [] : words.slice(start + 1, endOf(words, start) - 1);
}

/** Each name with the words of its type. */
function readMembers(words: readonly string[]): [name: string, type: readonly string[]][] {
  const members: [string, readonly string[]][] = [];
  for (let at = 0; at < words.length; ) {
    const end = endOf(words, at + 1);
    members.push([unquote(words[at] ?? ""), words.slice(at + 1, end)]);
    at = end;
  }
  return members;
}

/** Where the type ends that begins at a word: behind its closing brace, or behind the word. */
function endOf(words: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < words.length; at++) {
    if (words[at] === "{") depth += 1;
    if (words[at] === "}") depth -= 1;
    if (depth <= 0) return at + 1;
  }
  return words.length;
}

function unquote(word: string): string {
  if (word.startsWith('"')) return JSON.parse(word) as string;
  if (!word.startsWith("'")) return word;
  return JSON.parse(`"${word.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`) as string;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
