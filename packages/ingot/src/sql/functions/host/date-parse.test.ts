import { describe, expect, it } from "vitest";
import { FORMAT_DATE } from "./date-format.js";
import { PARSE_DATE } from "./date-parse.js";

const parse = (text: string, pattern: string) => {
  const micros = (PARSE_DATE.run as (t: string, p: string) => bigint | undefined)(text, pattern);
  return micros === undefined ? undefined : new Date(Number(micros / 1000n)).toISOString();
};
const format = (iso: string, pattern: string) =>
  (FORMAT_DATE.run as (m: bigint, o: number, p: string) => string)(BigInt(Date.parse(iso)) * 1000n, 0, pattern);

describe("Java's date patterns", () => {
  // Answers of Spark 4.2.
  it.each([
    ["1/2/2024", "M/d/yyyy", "2024-01-02T00:00:00.000Z"],
    ["24-1-5", "yy-M-d", "2024-01-05T00:00:00.000Z"],
    ["2024-031", "yyyy-DDD", "2024-01-31T00:00:00.000Z"],
    ["January 5, 2024", "MMMM d, yyyy", "2024-01-05T00:00:00.000Z"],
    ["20240131134506", "yyyyMMddHHmmss", "2024-01-31T13:45:06.000Z"],
    ["2024-01-31 13:45:06.1", "yyyy-MM-dd HH:mm:ss.SSS", "2024-01-31T13:45:06.100Z"],
    ["01:05 PM", "hh:mm a", "1970-01-01T13:05:00.000Z"],
    ["2024-01-31T10:00:00+0200", "yyyy-MM-dd'T'HH:mm:ssZ", "2024-01-31T08:00:00.000Z"],
    ["2024-01-31", "yyyy-MM-dd[ HH:mm]", "2024-01-31T00:00:00.000Z"],
  ])("%s by %s", (text, pattern, iso) => expect(parse(text, pattern)).toBe(iso));
  it.each([
    ["2024-02-30", "yyyy-MM-dd"],
    ["12024-01-01", "yyyy-MM-dd"],
    ["2024-1-01", "yyyy-MM-dd"],
    ["2024-01-01 ", "yyyy-MM-dd"],
  ])("does not fit: %s by %s", (text, pattern) => expect(parse(text, pattern)).toBeUndefined());
  it("writes them", () => {
    expect(format("2024-01-31T13:45:06.789Z", "EEE dd MMM yy HH:mm:ss.SSS")).toBe("Wed 31 Jan 24 13:45:06.789");
    expect(format("2024-01-31T00:05:00Z", "h K k a QQQQ D XXX")).toBe("12 0 24 AM 1st quarter 31 Z");
    expect(format("+012024-01-01T00:00:00Z", "yyyy-MM")).toBe("+12024-01");
  });
});
