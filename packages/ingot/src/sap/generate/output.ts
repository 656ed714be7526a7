import type { ChangeWriter, Delivered } from "./changes-in-format.js";
import { padded } from "./decimal.js";
import type { Fault } from "./faults/fault.js";
import type { FileContent } from "./faults/file-kinds.js";
import type { GenerateOptions, Sink } from "./options.js";
import type { Row, RowTable } from "./rows.js";
import { TEXT_FORMATS, type TextFormat } from "./text-format.js";

const DAY_MS = 86_400_000;

/** The rows of a table in one batch. */
export interface DeliveredFile {
  readonly table: RowTable;
  readonly rows: readonly Delivered[];
  /** What becomes of the file. */
  readonly alter: (content: FileContent) => FileContent;
}

/** Names files, and writes rows into them. */
export class Output {
  /** When each file is delivered, in milliseconds since 1970. */
  readonly times = new Map<string, number>();
  readonly #writer: ChangeWriter;
  readonly #sink: Sink;
  readonly #format: TextFormat;
  readonly #start: number;

  /** @param start the day on which the changes begin */
  constructor({ format }: Pick<GenerateOptions, "format">, writer: ChangeWriter, sink: Sink, start: number) {
    this.#format = TEXT_FORMATS[format];
    this.#writer = writer;
    this.#sink = sink;
    this.#start = start * DAY_MS;
  }

  initial(table: RowTable, delivered: Delivered): void {
    const control = this.#writer.values(delivered) ?? [];
    this.#write(`initial/${table.name}`, this.#columns(table), [...delivered.row, ...control], 0);
  }

  /**
   * @param until the end of the batch, in microseconds since the start
   * @param again the batch that it was in before
   */
  file({ table, rows, alter }: DeliveredFile, batch: number, until: number, again?: number): void {
    const name = again === undefined ? padded(batch, 5) : `${padded(batch, 5)}-again-${padded(again, 5)}`;
    const written = rows.flatMap((row) => {
      const control = this.#writer.values(row);
      return control === undefined ? [] : [[...row.row, ...control]];
    });
    const content = alter({ columns: this.#columns(table), rows: written });
    const { columns, encoding } = content;
    for (const values of content.rows) this.#write(`cdc/${table.name}/${name}`, columns, values, until, encoding);
  }

  truth(table: RowTable, row: Row): void {
    this.facts(`truth/${table.name}`, columnsOf(table), row);
  }

  /** A row of a file that is no delivery. */
  facts(name: string, columns: readonly string[], values: readonly string[]): void {
    this.#write(name, columns, values, 0);
  }

  fault(fault: Fault): void {
    this.#sink.append("faults.jsonl", `${JSON.stringify(fault)}\n`);
  }

  #columns(table: RowTable): string[] {
    return [...columnsOf(table), ...this.#writer.columns];
  }

  #write(
    name: string,
    columns: readonly string[],
    values: readonly string[],
    until: number,
    encoding?: FileContent["encoding"],
  ): void {
    const path = `${name}.${this.#format.extension}`;
    const header = this.times.has(path) ? "" : this.#format.header(columns);
    this.times.set(path, this.#start + Math.floor(until / 1000));
    this.#sink.append(path, header + this.#format.line(columns, values), encoding);
  }
}

function columnsOf({ fields }: RowTable): string[] {
  return fields.map(({ name }) => name);
}
