import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const HEADER = "order_id,customer_id,status,amount,updated_at";

/** The order files of the Spark Declarative Pipelines tutorial; the third line has an amount that is no number. */
const DAYS = {
  "2026-10-01": [
    "1001,C01,placed,25.50,2026-10-01 09:15:00",
    "1002,C02,placed,12.00,2026-10-01 10:02:00",
    "1003,C03,placed,abc,2026-10-01 11:30:00",
  ],
  "2026-10-02": ["1001,C01,shipped,25.50,2026-10-02 08:00:00", "1004,C01,placed,40.00,2026-10-02 12:45:00"],
  "2026-10-03": [
    "1002,C02,shipped,12.00,2026-10-03 07:30:00",
    "1005,C03,placed,99.90,2026-10-03 08:00:00",
    "1004,C01,cancelled,40.00,2026-10-03 09:00:00",
  ],
} as const;

export type Day = keyof typeof DAYS;

/** Writes `<day>.csv` into a landing folder. */
export async function writeDay(landing: string, day: Day): Promise<void> {
  await writeFile(join(landing, `${day}.csv`), `${[HEADER, ...DAYS[day]].join("\n")}\n`);
}
