import { Command, InvalidArgumentError, Option } from "commander";
import { CHANGE_FORMATS } from "../sap/changes/formats.js";
import type { Io } from "./io.js";

/** The refresh options that nobody gave. */
const NOTHING_NAMED = { refresh: [], fullRefresh: [], fullRefreshAll: false };
const EXPLAIN = "only print the project as plain SQL statements";

/** All commands and options: one table for parsing and help. A command's code is loaded when it is called. */
export function createProgram(io: Io, version: string, done: (exitCode: number) => void): Command {
  const program = new Command("ingot")
    .description("Declarative data pipelines over SAP data: Spark SQL and TypeScript on DuckDB, tables in Delta Lake.")
    .version(version)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // The caller reports them as it reports every other error.
      outputError: () => {},
    })
    .showSuggestionAfterError()
    .option("--no-color", "no colours")
    .exitOverride();

  const list = (value: string, before: readonly string[] = []): string[] => {
    const names = value
      .split(",")
      .map((v) => v.trim())
      .filter((v) => v !== "");
    // An empty list would run everything.
    if (names.length === 0) throw new InvalidArgumentError("Name at least one table.");
    return [...before, ...names];
  };
  const setting = (value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const at = value.indexOf("=");
    if (at < 1) throw new InvalidArgumentError("Write key=value.");
    return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
  };
  const count = (value: string): number => {
    if (!/^\d+$/.test(value)) throw new InvalidArgumentError("Write a whole number.");
    return Number(value);
  };
  const positive = (value: string): number => {
    if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError("Write a whole number, 1 or more.");
    return Number(value);
  };
  const date = (value: string): string => {
    if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)))
      throw new InvalidArgumentError("Write a date, YYYY-MM-DD.");
    return value;
  };
  const engine = (value: string): string => {
    if (!["duckdb", "spark"].includes(value)) throw new InvalidArgumentError("Write duckdb or spark.");
    return value;
  };
  const scale = (value: string): string | number => {
    if (/^[1-9]\d*$/.test(value)) return Number(value);
    if (!["tiny", "small", "medium"].includes(value))
      throw new InvalidArgumentError("Write tiny, small, medium or a number.");
    return value;
  };
  const command = (name: string, description: string, examples: readonly string[], parent = program): Command =>
    parent
      .command(name)
      .description(description)
      .addHelpText("before", helpExamples(examples))
      .option("--json", "one JSON document on stdout");
  const projectCommand = (name: string, description: string, examples: readonly string[], parent = program): Command =>
    command(name, description, examples, parent)
      .option("--project <dir>", "folder of the project (default: found upward)")
      .addOption(new Option("--spec <file>", "spec file").conflicts("project"))
      .option("--set <key=value>", "set a configuration key; repeatable", setting);
  const engineCommand = (name: string, description: string, examples: readonly string[]): Command =>
    projectCommand(name, description, examples)
      .option("--engine <name>", "duckdb or spark", engine)
      .option("--remote <url>", "server of Spark: sc://HOST:PORT/;token=…");
  const refreshCommand = (name: string, description: string, examples: readonly string[]): Command =>
    engineCommand(name, description, examples)
      .option("--refresh <tables>", "run only these tables (a,b)", list)
      .option("--full-refresh <tables>", "start only these tables again from their sources", list)
      .option("--full-refresh-all", "start all tables again")
      .option("--reset-checkpoint <tables>", "read all again into only these, rows stay (a,b)", list);

  command("init <name>", "Make a small project that runs.", ["ingot init my_project"]).action(async (name, options) => {
    const { init } = await import("./commands/init.js");
    done(await init(name, options, io));
  });
  refreshCommand("run", "Run the pipeline: read what is new, commit each table once.", [
    "ingot run",
    "ingot run --refresh orders,customer_spend --json-stream",
  ])
    .option("--allow-mass-delete <tables>", "maxDeleteShare does not hold for these (a,b)", list)
    .addOption(new Option("--json-stream", "the events as NDJSON on stdout").conflicts("json"))
    .option("--quiet", "only warnings, errors and the result")
    .option("--explain", EXPLAIN)
    .action(async (options) => {
      const { run } = await import("./commands/run.js");
      done(await run({ ...NOTHING_NAMED, ...options }, io));
    });
  refreshCommand("dry-run", "Check everything and say what a run would do; no table is touched.", [
    "ingot dry-run",
    "ingot dry-run --explain > project.sql",
  ])
    .option("--explain", EXPLAIN)
    .action(async (options) => {
      const { dryRun } = await import("./commands/dry-run.js");
      done(await dryRun({ ...NOTHING_NAMED, ...options }, io));
    });
  projectCommand("backfill <table>", "Load the history of a table in chunks, then bring up to date what reads it.", [
    "ingot backfill bronze_sap.bseg --chunks 'GJAHR 2018..2024'",
    "ingot backfill bronze_sap.bseg --chunks 'GJAHR 2019' --again",
  ])
    .requiredOption("--chunks <ranges>", "the column of the chunks and its values: 'GJAHR 2018..2024'")
    .option("--again", "stage these chunks anew; what has them already starts again")
    .addOption(new Option("--json-stream", "the events as NDJSON on stdout").conflicts("json"))
    .option("--quiet", "only warnings, errors and the result")
    .action(async (table, options) => {
      const { backfill } = await import("./commands/backfill.js");
      done(await backfill(table, options, io));
    });
  projectCommand(
    "extract [names...]",
    "Land the rows of OData services (SAP's ODP) as files: all at first, then changes.",
    ["ingot extract", "ingot extract orders --restart"],
  )
    .option("--full", "all rows anew, in the same subscription")
    .addOption(new Option("--restart", "end the subscription and load anew; what is gone is told").conflicts("full"))
    .addOption(
      new Option("--from-token <token>", "changes behind this token, not behind the last one").conflicts([
        "full",
        "restart",
      ]),
    )
    .action(async (names, options) => {
      const { extractCommand } = await import("./commands/extract.js");
      done(await extractCommand(names, options, io));
    });
  projectCommand("types", "Write ingot-env.d.ts: the columns of all tables, for the compiler and the editor.", [
    "ingot types",
    "ingot types --check",
  ])
    .option("--check", "write nothing; fail where the file is old")
    .action(async (options) => {
      const { types } = await import("./commands/types.js");
      done(await types(options, io));
    });
  projectCommand("check", "Check the definitions, bring ingot-env.d.ts up to date and run the TypeScript compiler.", [
    "ingot check",
    "ingot check --json",
  ]).action(async (options) => {
    const { check } = await import("./commands/check.js");
    done(await check(options, io));
  });
  projectCommand(
    "query <sql>",
    "Run Spark SQL over the project's tables, or over any Delta folder. `-` reads from stdin.",
    [
      'ingot query "SELECT * FROM customer_spend ORDER BY spend DESC"',
      'ingot query "SELECT count(*) FROM delta.`/data/orders` VERSION AS OF 3" --json',
    ],
  )
    .option("--limit <rows>", "rows at most", count)
    .action(async (sql, options) => {
      const { query } = await import("./commands/query.js");
      done(await query(sql, options, io));
    });
  projectCommand("lineage [names...]", "Say where the columns of tables and views come from.", [
    "ingot lineage customer_spend",
    "ingot lineage --json",
  ]).action(async (names, options) => {
    const { lineage } = await import("./commands/lineage.js");
    done(await lineage(names, options, io));
  });
  projectCommand("show [tables...]", "Show the first rows of tables.", [
    "ingot show",
    "ingot show orders --limit 5 --no-truncate",
  ])
    .option("--limit <rows>", "rows of each table", count, 20)
    .option("--no-truncate", "whole values, however long")
    .action(async (tables, options) => {
      const { show } = await import("./commands/show.js");
      done(await show(tables, options, io));
    });
  engineCommand("optimize [tables...]", "Gather small files of tables and drop deleted rows; rows stay the same.", [
    "ingot optimize",
    "ingot optimize silver.bseg --json",
  ]).action(async (tables, options) => {
    const { optimize } = await import("./commands/maintain.js");
    done(await optimize(tables, options, io));
  });
  projectCommand("vacuum [tables...]", "Delete files of tables that no version of the last days needs.", [
    "ingot vacuum --dry-run",
    "ingot vacuum silver.bseg --retain-hours 720",
  ])
    .option(
      "--retain-hours <hours>",
      "how long older versions stay readable; at least the table's own, 168 by default",
      count,
    )
    .option("--dry-run", "only say what would be deleted")
    .action(async (tables, options) => {
      const { vacuum } = await import("./commands/maintain.js");
      done(await vacuum(tables, options, io));
    });
  engineCommand("quarantine <action> [dataset]", "list, show, release or drop rows that rules set aside.", [
    "ingot quarantine list",
    'ingot quarantine release orders --where "qty < 0" --correct qty=abs(qty)',
    "ingot quarantine drop orders --key order_id=1003",
  ])
    .option("--all", "all open rows")
    .option("--rule <name>", "rows that fail it, by its name or status code")
    .option("--key <column=value>", "rows with this value; repeatable", setting)
    .option("--where <condition>", "rows for which this Spark SQL is true")
    .option("--correct <column=expression>", "release with this Spark SQL; repeatable", setting)
    .option("--limit <rows>", "rows at most", count, 20)
    .action(async (action, dataset, options) => {
      const actions = ["list", "show", "release", "drop"];
      if (!actions.includes(action)) throw new InvalidArgumentError(`Write ${actions.join(", ")}, not ${action}.`);
      const { quarantine } = await import("./commands/quarantine.js");
      done(await quarantine(action, dataset, options, io));
    });
  projectCommand("drift <action> [dataset]", "list, show, accept or reject what changed in the columns of sources.", [
    "ingot drift list",
    'ingot drift accept orders --column discount --reason "agreed with sales"',
  ])
    .option("--column <name>", "only changes of this column")
    .option("--reason <text>", "why; kept with the decision")
    .action(async (action, dataset, options) => {
      const actions = ["list", "show", "accept", "reject"];
      if (!actions.includes(action)) throw new InvalidArgumentError(`Write ${actions.join(", ")}, not ${action}.`);
      const { drift } = await import("./commands/drift.js");
      done(await drift(action, dataset, options, io));
    });
  projectCommand("events", "Tell what happened in the newest run, or what is happening.", [
    "ingot events --level WARN",
    "ingot events --dataset orders --follow",
  ])
    .option("--level <level>", "INFO, WARN or ERROR, and what is worse")
    .option("--dataset <name>", "events of one dataset")
    .addOption(new Option("--run <id>", "of this run, by its id or how it begins").conflicts("all"))
    .option("--all", "of all runs")
    .option("--follow", "go on with what comes, until Ctrl-C")
    .action(async (options) => {
      const { events } = await import("./commands/events.js");
      done(await events(options, io));
    });
  projectCommand("parity", "Run the project here and on Spark, each for itself, and compare every table.", [
    "ingot parity --remote sc://localhost:15002",
    "ingot parity --remote sc://localhost:15002 --ignore bronze_orders.loaded_at --fresh",
  ])
    .option("--remote <url>", "server of Spark: sc://HOST:PORT/;token=… (default: SPARK_REMOTE)")
    .option(
      "--ignore <columns>",
      "columns that hold what differs by run, as the clock does (table.column,column)",
      list,
    )
    .option("--fresh", "begin anew; else both go on with what is new since the last comparison")
    .option("--limit <rows>", "rows shown of each side of a table that differs", count, 3)
    .action(async (options) => {
      const { parity } = await import("./commands/parity.js");
      done(await parity(options, io));
    });
  const exported = program
    .command("export")
    .description("Write the project down for others.")
    .addHelpText("before", helpExamples(["ingot export databricks --out bundle"]));
  projectCommand(
    "databricks",
    "Write a bundle with the same tables as native pipeline SQL, and a list of what has no native form.",
    [
      "ingot export databricks --out bundle",
      "ingot export databricks --out bundle --catalog sales --files /Volumes/sales/raw/shop",
    ],
    exported,
  )
    .requiredOption("--out <dir>", "a new folder")
    .option("--catalog <name>", "catalog of the tables there", "main")
    .option("--files <dir>", "where the project's folder lies there (default: a volume of the project's name)")
    .action(async (options) => {
      const { exportDatabricks } = await import("./commands/export-databricks.js");
      done(await exportDatabricks(options, io));
    });
  const sap = program
    .command("sap")
    .description("What Ingot knows of SAP's tables.")
    .addHelpText("before", helpExamples(["ingot sap describe VBAK", "ingot sap check vbak.csv --table VBAK"]));
  projectCommand(
    "describe [table]",
    "Show a table of the dictionary: its fields, key and references; without a table, the names of all.",
    ["ingot sap describe VBAK", "ingot sap describe MARA --release s4 --json"],
    sap,
  )
    .option("--source <name>", "a source of the spec: its release and its own extracts of the dictionary")
    .addOption(new Option("--release <release>", "ecc or s4").choices(["ecc", "s4"]).conflicts("source"))
    .action(async (table, options) => {
      const { describe } = await import("./commands/sap-describe.js");
      done(await describe(table, options, io));
    });
  projectCommand(
    "check <files>",
    "Check an extract against the dictionary: its columns, and each value by the type of its field.",
    ["ingot sap check landing/vbak --table VBAK", "ingot sap check vbak.csv --table VBAK --source ECC --sep ';'"],
    sap,
  )
    .requiredOption("--table <name>", "the table of the dictionary")
    .option("--source <name>", "a source of the spec, whose conventions hold")
    .addOption(
      new Option("--format <format>", "csv, json or parquet").choices(["csv", "json", "parquet"]).default("csv"),
    )
    .option("--sep <character>", "what separates the fields of a CSV file", ",")
    .option("--limit <rows>", "faulty rows shown of each kind", count, 3)
    .action(async (files, options) => {
      const { check } = await import("./commands/sap-check.js");
      done(await check(files, options, io));
    });
  command(
    "generate",
    "Make synthetic data of an SAP system: a start, changes in batches, and the truth at the end.",
    [
      "ingot sap generate --out data --scale small --changes odq --batches 24",
      "ingot sap generate --out data --tables BKPF,BSEG --scale 10000 --release s4",
    ],
    sap,
  )
    .requiredOption("--out <dir>", "a new folder")
    .option("--scale <size>", "tiny, small, medium, or about how many lines accounting has", scale, "tiny")
    .option("--seed <text>", "the same seed gives the same bytes", "1")
    .addOption(new Option("--release <release>", "ecc or s4").choices(["ecc", "s4"]).default("ecc"))
    .option("--clients <clients>", "of the same document numbers (100,200); default 100", list)
    .option("--start <date>", "first day of the changes", date, "2025-01-01")
    .option("--history <days>", "days before it; default by the scale", count)
    .option("--days <days>", "days of changes", positive, 1)
    .option("--changes-per-day <rows>", "in all tables together, written or not; default by the scale", positive)
    .option("--batches <count>", "deliveries of changes in all", positive, 24)
    .option("--tables <tables>", "write only these (VBAK,VBAP)", list)
    .addOption(
      new Option("--changes <format>", "how changes are told").choices(Object.keys(CHANGE_FORMATS)).default("odq"),
    )
    .option("--no-sequence", "ODQ and 0RECORDMODE without the producer's sequence: the order of delivery counts")
    .addOption(
      new Option("--format <format>", "csv, json (lines) or parquet")
        .choices(["csv", "json", "parquet"])
        .default("csv"),
    )
    .option("--faults <kinds>", "none, default, or kinds with their share of rows (late=0.05,duplicate)", "none")
    .action(async (options) => {
      const { sapGenerate } = await import("./commands/sap-generate.js");
      done(await sapGenerate({ clients: ["100"], ...options }, io));
    });
  return program;
}

function helpExamples(examples: readonly string[]): string {
  return `Examples:\n${examples.map((e) => `  ${e}\n`).join("")}`;
}
