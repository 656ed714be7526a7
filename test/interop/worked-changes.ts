import { SPEC, writeProject } from "../e2e/cli.js";
import { USER_CHANGES, USER_HEADER } from "../e2e/user-changes.js";

/*
 * The published examples of AUTO CDC (`ldp/cdc` of Databricks' documentation, a run on Lakeflow with late changes) as one
 * project of many tables, so that three runs tell all.
 */

const feed = (name: string, schema: string) =>
  `CREATE STREAMING TABLE ${name} AS SELECT * FROM STREAM read_files('landing/${name}', format => 'csv', header => true,
     enforceSchema => false, schema => '${schema}');`;
const flow = (table: string, source: string, clauses: string) =>
  `CREATE STREAMING TABLE ${table}; CREATE FLOW f_${table} AS AUTO CDC INTO ${table} FROM STREAM(${source}) ${clauses};`;
const extract = (name: string, schema: string, columns: string, clauses: string, tables: readonly string[]) =>
  `CREATE MATERIALIZED VIEW ${name} AS SELECT * FROM read_files('landing/${name}', format => 'csv', header => true,
     enforceSchema => false, schema => '${schema}');
   ${tables
     .map(
       (table, i) =>
         `CREATE STREAMING TABLE ${table}; CREATE FLOW f_${table} AS AUTO CDC INTO ${table} FROM SNAPSHOT (SELECT ${columns} FROM ${name})
          ${clauses} STORED AS SCD TYPE ${i === 0 ? "2" : "1"};`,
     )
     .join("\n")}`;

const USERS = `KEYS (userId) APPLY AS DELETE WHEN operation = 'DELETE' SEQUENCE BY sequenceNum COLUMNS * EXCEPT (operation, sequenceNum)`;
const STATUS = `KEYS (id) APPLY AS DELETE WHEN status = 'DELETE' SEQUENCE BY seq COLUMNS * EXCEPT (seq)`;
const CONTACTS = `KEYS (id) IGNORE NULL UPDATES SEQUENCE BY STRUCT(day, n) COLUMNS * EXCEPT (day, n)`;

const SQL = [
  feed("users", "userId INT, name STRING, city STRING, operation STRING, sequenceNum INT"),
  "CREATE TEMPORARY VIEW plain AS SELECT * FROM STREAM(users) WHERE operation <> 'TRUNCATE';",
  flow("newest", "plain", USERS),
  flow("truncated", "users", USERS.replace("SEQUENCE", "APPLY AS TRUNCATE WHEN operation = 'TRUNCATE' SEQUENCE")),
  flow("versions", "plain", `${USERS} STORED AS SCD TYPE 2`),
  flow("cities", "plain", `${USERS} STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (city)`),
  feed("states", "id INT, status STRING, synced INT, seq INT"),
  flow("state", "states", STATUS),
  flow("history", "states", `${STATUS} STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (synced)`),
  feed("contacts", "id INT, email STRING, city STRING, day INT, n INT"),
  flow("contact", "contacts", CONTACTS),
  flow("contact_history", "contacts", `${CONTACTS} STORED AS SCD TYPE 2`),
  extract("plain_extract", "key INT, value STRING", "*", "KEYS (key)", ["counted", "mirrored"]),
  extract(
    "versioned",
    "k INT, tracked STRING, other STRING, v INT",
    "k, tracked, other",
    "WITH VERSION (SELECT max(v) FROM versioned) KEYS (k) TRACK HISTORY ON * EXCEPT (other)",
    ["tracked"],
  ).replace(
    "KEYS (k) TRACK HISTORY ON * EXCEPT (other) STORED AS SCD TYPE 2",
    "KEYS (k) STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (other)",
  ),
  extract(
    "timed",
    "key INT, value STRING, ts TIMESTAMP",
    "key, value",
    "WITH VERSION (SELECT max(ts) FROM timed) KEYS (key)",
    ["periods"],
  ),
].join("\n");

/** Files of `landing/`, by run: streams get one more, extracts take the place of the one before. */
const DELIVERIES: readonly Readonly<Record<string, string>>[] = [
  {
    "users/1": csv(USER_HEADER, USER_CHANGES.slice(4)),
    "states/1": csv("id,status,synced,seq", [
      "1,ACTIVE,0,12",
      "2,ACTIVE,0,17",
      "2,DELETE,0,20",
      "3,a,0,10",
      "3,b,0,20",
      "3,c,0,30",
      "3,d,0,40",
      "3,DELETE,0,50",
      ...Array.from({ length: 51 }, (_, i) => `4,x,${i},${i}`),
    ]),
    "contacts/1": csv("id,email,city,day,n", ["1,,Istanbul,1,10", "2,c@d.e,Izmir,1,1"]),
    "plain_extract/1": csv("key,value", ["1,Oaxaca", "2,Monterrey", "3,Tijuana"]),
    "versioned/1": csv("k,tracked,other,v", ["1,a1,b1,1", "2,a2,b2,1", "4,a4,b4,1"]),
    "timed/1": csv("key,value,ts", ["1,a1,2024-01-01 00:00:00", "2,a2,2024-01-01 00:00:00"]),
  },
  {
    "users/2": csv(USER_HEADER, [...USER_CHANGES.slice(0, 4), ",,,TRUNCATE,3"]),
    "states/2": csv("id,status,synced,seq", ["1,PENDING,0,10", "2,SUSPENDED,0,18"]),
    "contacts/2": csv("id,email,city,day,n", ["1,a@b.c,Ankara,1,9", "2,,Bursa,2,0"]),
    "plain_extract/1": csv("key,value", ["2,Carmel", "3,Los Angeles", "4,Death Valley", "6,Kings Canyon"]),
    "versioned/1": csv("k,tracked,other,v", ["2,a2_new,b2,2", "3,a3,b3,2", "4,a4,b4_new,2"]),
    // One that comes too late is skipped.
    "timed/1": csv("key,value,ts", ["1,late,2023-12-31 12:00:00"]),
  },
  {
    "users/3": csv(USER_HEADER, USER_CHANGES),
    "states/3": csv("id,status,synced,seq", [
      "3,a,0,10",
      "3,b,0,20",
      "3,c,0,30",
      "3,d,0,40",
      "3,DELETE,0,50",
      "1,DELETE,0,5",
      "1,NEW,0,3",
    ]),
    "contacts/3": csv("id,email,city,day,n", ["1,,Istanbul,1,10"]),
    "timed/1": csv("key,value,ts", ["2,b2,2024-01-01 12:00:00", "3,a3,2024-01-01 12:00:00"]),
  },
];

/** What the documents say the tables hold after all runs; snapshots as of the last that was applied. */
export const WORKED_ROWS: Readonly<Record<string, readonly string[]>> = {
  newest: ["124 Raul Oaxaca", "125 Mercedes Guadalajara", "126 Lily Cancun"],
  truncated: ["125 Mercedes Guadalajara"],
  versions: [
    "123 Isabel Chihuahua 5 6",
    "123 Isabel Monterrey 1 5",
    "124 Raul Oaxaca 1 null",
    "125 Mercedes Guadalajara 6 null",
    "125 Mercedes Mexicali 5 6",
    "125 Mercedes Tijuana 2 5",
    "126 Lily Cancun 2 null",
  ],
  cities: [
    "123 Isabel Chihuahua 1 6",
    "124 Raul Oaxaca 1 null",
    "125 Mercedes Guadalajara 2 null",
    "126 Lily Cancun 2 null",
  ],
  state: ["1 ACTIVE 0", "4 x 50"],
  history: [
    "1 ACTIVE 0 12 null",
    "1 NEW 0 3 5",
    "1 PENDING 0 10 12",
    "2 ACTIVE 0 17 18",
    "2 SUSPENDED 0 18 20",
    "3 a 0 10 20",
    "3 b 0 20 30",
    "3 c 0 30 40",
    "3 d 0 40 50",
    "4 x 50 0 null",
  ],
  contact: ["1 a@b.c Istanbul", "2 c@d.e Bursa"],
  contact_history: ["1 a@b.c Ankara 9 10", "1 a@b.c Istanbul 10 null", "2 c@d.e Bursa 0 null", "2 c@d.e Izmir 1 0"],
  counted: [
    "1 Oaxaca 0 1",
    "2 Carmel 1 null",
    "2 Monterrey 0 1",
    "3 Los Angeles 1 null",
    "3 Tijuana 0 1",
    "4 Death Valley 1 null",
    "6 Kings Canyon 1 null",
  ],
  mirrored: ["2 Carmel", "3 Los Angeles", "4 Death Valley", "6 Kings Canyon"],
  tracked: ["1 a1 b1 1 2", "2 a2 b2 1 2", "2 a2_new b2 2 null", "3 a3 b3 2 null", "4 a4 b4_new 1 null"],
  periods: ["1 a1 00:00 12:00", "2 a2 00:00 12:00", "2 b2 12:00 null", "3 a3 12:00 null"],
};

/** The columns of a table as `WORKED_ROWS` shows them. */
export const WORKED_COLUMNS: Readonly<Record<string, string>> = {
  contact_history: "id, email, city, __START_AT.n AS `from`, __END_AT.n AS until",
  periods: "key, value, date_format(__START_AT, 'HH:mm'), date_format(__END_AT, 'HH:mm')",
};

export function makeWorkedProject(folder: string): void {
  writeProject(folder, { "ingot.yml": SPEC, "transformations/all.sql": SQL });
}

/** Puts the files of a run where they are read. @param run from 0 */
export function deliverWorked(folder: string, run: number): void {
  for (const [name, text] of Object.entries(DELIVERIES[run] ?? {}))
    writeProject(folder, { [`landing/${name}.csv`]: text });
}

function csv(header: string, lines: readonly string[]): string {
  return `${[header, ...lines].join("\n")}\n`;
}
