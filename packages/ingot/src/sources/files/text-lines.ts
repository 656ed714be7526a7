import { StringDecoder } from "node:string_decoder";

export interface TextLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** How many lines end within a text. */
export function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Splits UTF-8 into lines, whatever mixture of `\n`, `\r\n` and `\r` ends them; fed chunk by chunk. */
export class TextLines {
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";
  private number = 1;
  private isFirst = true;

  /** The lines that end in this chunk. A byte order mark before the first one is dropped. */
  add(chunk: Buffer): TextLine[] {
    this.rest += this.decoder.write(chunk);
    if (this.isFirst && this.rest !== "") {
      this.isFirst = false;
      if (this.rest.startsWith("\ufeff")) this.rest = this.rest.slice(1);
    }
    // What follows a \r at the end is not known yet.
    const pieces = this.rest.split(/\r\n|\n|\r(?!$)/);
    this.rest = pieces.pop() ?? "";
    return pieces.map((text) => ({ text, number: this.number++ }));
  }

  /** The last line, where the file does not end it. */
  finish(): TextLine[] {
    if (this.rest === "") return [];
    return [{ text: this.rest.replace(/\r$/, ""), number: this.number }];
  }
}
