import { randomUUID } from "node:crypto";
import { type Change, type MaskedFile, type NewFile, READS_NOTHING, type ReadSet } from "../commit/change.js";
import type { AddFile, DeletionVector } from "../log/actions.js";
import type { Snapshot } from "../snapshot/snapshot.js";

export interface Row {
  readonly key: number;
  readonly value: string;
}

/** What a writer wants: as a function of rows, and as a change of a table. */
export interface Intent {
  readonly name: string;
  apply(rows: readonly Row[]): readonly Row[];
  /** Undefined: nothing to do. */
  plan(snapshot: Snapshot): Change | undefined;
}

/** Stands for the engine: holds the rows of data files and the positions of deletion vectors by name. */
export class RowTable {
  readonly #rows = new Map<string, readonly Row[]>();
  readonly #deleted = new Map<string, ReadonlySet<number>>();

  /** The rows of a version that are not deleted. */
  rowsOf(files: Iterable<AddFile>): Row[] {
    return [...files].flatMap((file) => this.#live(file).map(({ row }) => row));
  }

  append(name: string, rows: readonly Row[]): Intent {
    return {
      name,
      apply: (before) => [...before, ...rows],
      plan: () => ({ operation: "WRITE", add: this.#write(rows), isBlindAppend: true }),
    };
  }

  overwrite(name: string, rows: readonly Row[]): Intent {
    return {
      name,
      apply: () => rows,
      plan: () => ({ operation: "WRITE", remove: "all", add: this.#write(rows) }),
    };
  }

  delete(name: string, keys: ReadonlySet<number>, by: "vectors" | "copy"): Intent {
    return {
      name,
      apply: (before) => before.filter(({ key }) => !keys.has(key)),
      plan: (snapshot) => this.#change(snapshot, "DELETE", keys, by, () => []),
    };
  }

  /** Rows of these keys get the value; a key that no row has is inserted. */
  merge(name: string, keys: ReadonlySet<number>, value: string, by: "vectors" | "copy"): Intent {
    const merged = (found: readonly Row[]): Row[] => [
      ...found.map(({ key }) => ({ key, value })),
      ...[...keys].filter((key) => !found.some((row) => row.key === key)).map((key) => ({ key, value })),
    ];
    return {
      name,
      apply: (before) => [
        ...before.filter(({ key }) => !keys.has(key)),
        ...merged(before.filter(({ key }) => keys.has(key))),
      ],
      plan: (snapshot) => this.#change(snapshot, "MERGE", keys, by, merged),
    };
  }

  /** Puts the rows of some files into one. */
  optimize(name: string, random: () => number): Intent {
    return {
      name,
      apply: (before) => before,
      plan: ({ files }) => {
        const chosen = files.filter(() => random() < 0.6);
        if (chosen.length === 0) return undefined;
        const rows = chosen.flatMap((file) => this.#live(file).map(({ row }) => row));
        return { operation: "OPTIMIZE", remove: chosen, add: this.#write(rows), dataChange: false };
      },
    };
  }

  setProperty(name: string): Intent {
    return {
      name,
      apply: (before) => before,
      plan: ({ metadata }) => ({
        operation: "SET TBLPROPERTIES",
        metadata: { configuration: { ...metadata.configuration, [name]: "set" } },
        reads: READS_NOTHING,
      }),
    };
  }

  #change(
    snapshot: Snapshot,
    operation: string,
    keys: ReadonlySet<number>,
    by: "vectors" | "copy",
    replace: (found: readonly Row[]) => Row[],
  ): Change | undefined {
    const mayHold = ({ path }: AddFile): boolean => this.#physical(path).some(({ key }) => keys.has(key));
    const reads: ReadSet = { files: snapshot.files.filter(mayHold), wouldRead: mayHold };
    const found: Row[] = [];
    const mask: MaskedFile[] = [];
    const remove: AddFile[] = [];
    const copied: Row[] = [];
    for (const file of reads.files === "all" ? [] : reads.files) {
      const live = this.#live(file);
      const hit = live.filter(({ row }) => keys.has(row.key));
      if (hit.length === 0) continue;
      found.push(...hit.map(({ row }) => row));
      if (by === "vectors") mask.push({ file, deletionVector: this.#hide(file, hit) });
      else {
        remove.push(file);
        copied.push(...live.filter(({ row }) => !keys.has(row.key)).map(({ row }) => row));
      }
    }
    const add = this.#write([...copied, ...replace(found)]);
    return found.length + add.length === 0 ? undefined : { operation, add, remove, mask, reads };
  }

  #physical(path: string): readonly Row[] {
    return this.#rows.get(path) ?? [];
  }

  #live(file: AddFile): { row: Row; position: number }[] {
    const deleted = this.#deleted.get(file.deletionVector?.pathOrInlineDv ?? "");
    return this.#physical(file.path)
      .map((row, position) => ({ row, position }))
      .filter(({ position }) => !deleted?.has(position));
  }

  #write(rows: readonly Row[]): NewFile[] {
    if (rows.length === 0) return [];
    const path = `part-${randomUUID()}.parquet`;
    this.#rows.set(path, rows);
    return [{ path, size: 1, stats: `{"numRecords":${rows.length}}` }];
  }

  #hide({ deletionVector }: AddFile, hit: readonly { position: number }[]): DeletionVector {
    const before = this.#deleted.get(deletionVector?.pathOrInlineDv ?? "") ?? [];
    const deleted = new Set([...before, ...hit.map(({ position }) => position)]);
    const name = randomUUID();
    this.#deleted.set(name, deleted);
    return { storageType: "p", pathOrInlineDv: name, sizeInBytes: 1, cardinality: BigInt(deleted.size) };
  }
}
