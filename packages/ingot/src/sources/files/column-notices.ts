import type { BatchFile, ColumnNotice } from "../../model/batch.js";

/** Collects what is to be told of columns: the same of the same column once, however many files. */
export class ColumnNotices {
  readonly #notices = new Map<string, ColumnNotice>();

  /** @param detail one sentence, the file left out */
  add(kind: ColumnNotice["kind"], column: string, { path }: BatchFile, detail: string): void {
    const key = `${kind} ${column}`;
    const before = this.#notices.get(key) ?? { kind, column, files: 0, path, detail };
    this.#notices.set(key, { ...before, files: before.files + 1 });
  }

  all(): ColumnNotice[] {
    return [...this.#notices.values()];
  }
}
