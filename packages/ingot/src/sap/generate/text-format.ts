/** How rows become lines of a file. */
export interface TextFormat {
  readonly extension: "csv" | "json";
  /** What a file begins with. */
  header(columns: readonly string[]): string;
  line(columns: readonly string[], values: readonly string[]): string;
}

export const TEXT_FORMATS = {
  csv: {
    extension: "csv",
    header: (columns) => csvLine(columns),
    line: (_, values) => csvLine(values),
  },
  json: {
    extension: "json",
    header: () => "",
    line: (columns, values) =>
      `{${columns.map((column, i) => `${JSON.stringify(column)}:${JSON.stringify(values[i] ?? "")}`).join(",")}}\n`,
  },
} as const satisfies Readonly<Record<string, TextFormat>>;

export type TextFormatName = keyof typeof TEXT_FORMATS;

function csvLine(values: readonly string[]): string {
  return `${values.map(csvField).join(",")}\n`;
}

/** Stands before a text that goes into CSV as it is, without quotes of ours. */
export const AS_IT_IS = "\uE000";

function csvField(value: string): string {
  if (value.startsWith(AS_IT_IS)) return value.slice(AS_IT_IS.length);
  return /[",;\r\n]|^ | $/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
