import type { Fault } from "./faults/fault.js";
import type { RowTable } from "./rows.js";

/** Rows at the start, changes, rows at the end. */
export interface TableCounts {
  initial: number;
  insert: number;
  update: number;
  delete: number;
  truth: number;
}

/** Counts what is written. */
export class Counts {
  readonly tables = new Map<string, TableCounts>();
  readonly faults = new Map<string, number>();

  of({ name }: RowTable): TableCounts {
    const counts = this.tables.get(name) ?? { initial: 0, insert: 0, update: 0, delete: 0, truth: 0 };
    this.tables.set(name, counts);
    return counts;
  }

  fault({ kind }: Fault): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }
}
