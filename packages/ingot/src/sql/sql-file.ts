import type { Dataset, Definitions, Flow } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import type { NameDefaults } from "../model/name.js";
import { type Position, sqlText } from "../model/position.js";
import { lex, scan, type Token, unterminatedError } from "./lexer.js";
import { makeLocate } from "./locate.js";
import { readNotebookMarks } from "./statements/notebook.js";
import { parseStatement } from "./statements/parse-statement.js";
import { findParameters, type Parameter, type RawStatement, substitute } from "./statements/substitute.js";
import { TokenReader } from "./token-reader.js";

export interface SqlFileInput {
  /** Name of the file, for positions. */
  readonly file: string;
  readonly text: string;
  /** Values for `${key}`: the spec's `configuration` and the command line's `--set`. */
  readonly configuration: Readonly<Record<string, string>>;
  /** Catalog and schema at the start of the file; `USE` changes them. */
  readonly defaults: NameDefaults;
}

export interface SqlFile {
  readonly definitions: Definitions;
  /** What `SET` statements of the file set; they count within the file only. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Reads a `.sql` file of a pipeline: a plain file, or a notebook in Databricks' source format.
 *
 * @throws IngotError the first fault of the file, with the first of each further statement as `others`
 */
export function parseSqlFile({ file, text, configuration, defaults }: SqlFileInput): SqlFile {
  const source = sqlText(text.startsWith("\ufeff") ? text.slice(1) : text, file);
  const locate = makeLocate(source);
  const { tokens, unterminated } = scan(source.text);
  const { breaks, errors: notSql } = readNotebookMarks(source.text, tokens, locate);
  const errors: IngotError[] = [...notSql];
  const statements = splitStatements(tokens, breaks, findParameters(source.text, tokens));
  if (unterminated !== undefined) {
    errors.push(unterminatedError(source, unterminated));
    // The last statement goes on into the part that never ends.
    if (tokens.at(-1)?.text !== ";") statements.pop();
  }

  const datasets: Dataset[] = [];
  const flows: Flow[] = [];
  const settings = new Map<string, string>();
  const values = new Map(Object.entries(configuration));
  let current = defaults;
  for (const statement of statements) {
    try {
      const sql = substitute(source, locate, statement, values);
      const parsed = parseStatement(new TokenReader(sql, lex(sql)), current);
      switch (parsed.kind) {
        case "use":
          current = parsed.defaults;
          break;
        case "set":
          settings.set(parsed.key, parsed.value);
          values.set(parsed.key, parsed.value);
          break;
        default:
          datasets.push(...parsed.datasets);
          flows.push(...parsed.flows);
      }
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
    }
  }
  throwAll(errors.sort((a, b) => compare(a.at, b.at)));
  return { definitions: { datasets, flows, externals: [], notices: [] }, settings: Object.fromEntries(settings) };
}

/** `;` and a new notebook cell end a statement, which runs from its first token to its last. */
function splitStatements(
  tokens: readonly Token[],
  breaks: ReadonlySet<number>,
  parameters: readonly Parameter[],
): RawStatement[] {
  const statements: { start: number; end: number; parameters: Parameter[] }[] = [];
  let open: (typeof statements)[number] | undefined;
  for (const [i, token] of tokens.entries()) {
    const semicolon = token.kind === "operator" && token.text === ";";
    if (semicolon || breaks.has(i)) open = undefined;
    if (semicolon) continue;
    if (open === undefined) {
      open = { start: token.start, end: token.end, parameters: [] };
      statements.push(open);
    } else open.end = token.end;
  }
  let index = 0;
  for (const parameter of parameters) {
    while ((statements[index]?.end ?? Number.POSITIVE_INFINITY) <= parameter.start) index += 1;
    statements[index]?.parameters.push(parameter);
  }
  return statements;
}

function compare(a: Position | undefined, b: Position | undefined): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
