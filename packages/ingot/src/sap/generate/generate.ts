import { dayOf } from "./calendar.js";
import { type ChangeWriter, changeWriter, type Delivered } from "./changes-in-format.js";
import { Counts, type TableCounts } from "./counts.js";
import { Aftermath } from "./faults/aftermath.js";
import { FileDamage, isRedelivery, isTokenLost, LOST_TOKEN, REDELIVERED } from "./faults/damage-files.js";
import type { Fault } from "./faults/fault.js";
import { fileFaultsFor } from "./faults/file-kinds.js";
import { Injector } from "./faults/inject.js";
import { faultsFor } from "./faults/kinds.js";
import { StandingFaults } from "./faults/standing.js";
import { collectFacts } from "./gold/facts.js";
import { openStreams, wantedTables } from "./open-streams.js";
import type { GenerateOptions, Sink } from "./options.js";
import { type DeliveredFile, Output } from "./output.js";
import { keyText, type RowTable, type RowTables } from "./rows.js";
import { type Batch, batchesOf } from "./timeline.js";
import type { Stream, Transaction } from "./transactions.js";

/** What was generated. */
export interface Generated {
  readonly tables: ReadonlyMap<string, TableCounts>;
  /** How often each kind of fault is in it. */
  readonly faults: ReadonlyMap<string, number>;
  /** When each file is delivered, in milliseconds since 1970: the order of delivery goes by the times of files. */
  readonly times: ReadonlyMap<string, number>;
}

/**
 * Writes the state at the start (`initial/<TABLE>`), the changes (`cdc/<TABLE>/<batch>`), the state at the end
 * (`truth/<TABLE>`), facts of it (`truth/gold/<name>`), and the faults (`faults.jsonl`). Rows of one transaction are
 * consistent, so each state is; the state at the end is that without faults, but for standing ones.
 *
 * @throws IngotError SAP_TABLE_NOT_FOUND
 */
export async function generate(options: GenerateOptions, sink: Sink): Promise<Generated> {
  const tables = await wantedTables(options);
  const start = dayOf(options.start);
  const writer = changeWriter(options.changes, start, options.sequence);
  const run: Run = {
    options,
    streams: openStreams(options, tables),
    writer,
    batches: batchesOf(options.days, options.batches),
    out: new Output(options, writer, sink, start),
    counts: new Counts(),
  };
  writeInitial(run);
  writeChanges(run);
  writeTruth(run, tables);
  return { tables: run.counts.tables, faults: run.counts.faults, times: run.out.times };
}

interface Run {
  readonly options: GenerateOptions;
  readonly streams: readonly Stream[];
  readonly writer: ChangeWriter;
  readonly batches: readonly Batch[];
  readonly out: Output;
  readonly counts: Counts;
}

function writeInitial(run: Run): void {
  const { streams, out, counts } = run;
  const standing = new StandingFaults((fault) => tellFault(run, fault));
  for (const stream of streams) {
    const records = new Map<RowTable, number>();
    for (const rows of stream.rows("initial"))
      for (const [table, row] of rows) {
        const record = (records.get(table) ?? 0) + 1;
        records.set(table, record);
        counts.of(table).initial++;
        standing.take(table, row);
        out.initial(table, { is: "initial", row, at: 0, stream: stream.number, record });
      }
  }
}

function writeChanges(run: Run): void {
  const { options, streams, writer, batches, out, counts } = run;
  const { seed, days, faults, format } = options;
  const tell = (fault: Fault) => tellFault(run, fault);
  const injector = new Injector(faultsFor(faults, writer, format === "csv"), seed, batches.length, tell);
  const damage = new FileDamage(fileFaultsFor(faults, format === "csv"), injector, batches.length, tell);
  const weights = batches.reduce((sum, { weight }) => sum + weight, 0);
  const again = faults.get("redelivered") ?? 0;
  let before: readonly DeliveredFile[] = [];
  for (const batch of batches) {
    const { number, to } = batch;
    const changed = byTable(transactionsOf(streams, batch, (days * batch.weight) / weights), writer, counts);
    const files = [...new Set([...changed.keys(), ...injector.waiting(number)])].map((table): DeliveredFile => {
      const own = changed.get(table) ?? [];
      const sent = writer.isTable ? newestOf(table, own) : own;
      const rows = injector.inject(table, number, sent);
      if (isTokenLost(number, batches.length, faults.get("lost_token") ?? 0) && sent.length > 0) {
        injector.deliverAgain(table, number + 1, sent);
        tell({ kind: "lost_token", table: table.name, key: {}, batch: number, expected: LOST_TOKEN.expected });
      }
      return { table, rows, alter: damage.damage(table, number, rows) };
    });
    for (const file of files) out.file(file, number, to);
    if (isRedelivery(seed, number, again))
      for (const file of before) {
        out.file(file, number, to, number - 1);
        tell({ kind: "redelivered", table: file.table.name, key: {}, batch: number, expected: REDELIVERED.expected });
      }
    before = again > 0 ? files : [];
  }
}

function writeTruth(run: Run, tables: RowTables): void {
  const { options, streams, writer, batches, out, counts } = run;
  const facts = collectFacts(tables, (name, columns, values) => out.facts(`truth/gold/${name}`, columns, values));
  const end = { lastBatch: batches.length, at: batches.at(-1)?.to ?? 0 };
  const write = (file: DeliveredFile, batch: number) => out.file(file, batch, end.at);
  const after = new Aftermath(options.faults, writer, end, write, (fault) => tellFault(run, fault));
  for (const stream of streams) {
    let age = 0;
    for (const rows of stream.rows("now")) {
      facts.take(rows);
      after.take(rows, stream.number, stream.domain.ages ? age++ : undefined);
      for (const [table, row] of rows) {
        counts.of(table).truth++;
        out.truth(table, row);
      }
    }
  }
  facts.close();
}

function tellFault({ counts, out }: Run, fault: Fault): void {
  counts.fault(fault);
  out.fault(fault);
}

/** Of all streams, in the order of their moments. */
function transactionsOf(streams: readonly Stream[], batch: Batch, share: number): Transaction[] {
  return streams
    .flatMap((stream) => [...stream.batch(batch, share)])
    .sort((a, b) => a.at - b.at || a.stream - b.stream);
}

/** The rows that leave SAP, by table. */
function byTable(
  transactions: readonly Transaction[],
  writer: ChangeWriter,
  counts: Counts,
): Map<RowTable, Delivered[]> {
  const found = new Map<RowTable, Delivered[]>();
  for (const { at, stream, changes } of transactions) {
    const records = new Map<RowTable, number>();
    const withDelete = changes.some(({ is }) => is === "delete") ? { withDelete: true as const } : {};
    for (const change of changes) {
      const { table, is } = change;
      counts.of(table)[is]++;
      const rows = found.get(table) ?? [];
      found.set(table, rows);
      const record = (records.get(table) ?? 0) + 2;
      records.set(table, record);
      const place = { at, stream, record, ...withDelete };
      if (change.is === "delete") rows.push({ ...place, is: "delete", row: change.before });
      else if (change.is === "insert") rows.push({ ...place, is: "insert", row: change.after });
      else {
        const { before, after } = change;
        if (writer.hasBeforeImages) rows.push({ ...place, is: "before", row: before, record: record - 1 });
        rows.push({ ...place, is: "update", row: after, before });
      }
    }
  }
  return found;
}

/** The newest row of each key: what someone has who keeps the table. */
function newestOf(table: RowTable, rows: readonly Delivered[]): Delivered[] {
  const newest = new Map<string, Delivered>();
  for (const row of rows) {
    const key = keyText(table, row.row);
    newest.delete(key);
    newest.set(key, row);
  }
  return [...newest.values()];
}
