import { describe, expect, it } from "vitest";
import { formatSchema, parseSchema } from "./schema.js";

/** The example of the protocol's section "Schema Serialization Format", shortened to one line. */
const EXAMPLE =
  '{"type":"struct","fields":[{"name":"a","type":"integer","nullable":false,"metadata":{}},' +
  '{"name":"b","type":{"type":"struct","fields":[{"name":"d","type":"integer","nullable":false,"metadata":{}}]},"nullable":true,"metadata":{}},' +
  '{"name":"c","type":{"type":"array","elementType":"integer","containsNull":false},"nullable":true,"metadata":{}},' +
  '{"name":"f","type":{"type":"map","keyType":"string","valueType":"decimal(38,18)","valueContainsNull":true},"nullable":true,"metadata":{"delta.identity.highWaterMark":9223372036854775807}}]}';

describe("parseSchema", () => {
  it("reads and writes the protocol's example without loss", () => {
    const schema = parseSchema(EXAMPLE);
    expect(schema.fields[1]).toEqual({
      name: "b",
      nullable: true,
      metadata: {},
      type: { kind: "struct", fields: [{ name: "d", type: { kind: "integer" }, nullable: false, metadata: {} }] },
    });
    expect(formatSchema(schema)).toBe(EXAMPLE);
  });

  it.each([
    ["interval", "schema.x has the unknown type interval"],
    ["decimal(39,2)", "schema.x has the unknown type decimal(39,2)"],
    ["decimal(5,6)", "schema.x has the unknown type decimal(5,6)"],
    [
      { type: "array", elementType: "geometry(OGC:CRS84)" },
      "schema.x.element has the unknown type geometry(OGC:CRS84)",
    ],
    [{ type: "udt" }, 'schema.x has the unknown type "udt"'],
  ])("names an unknown type and its column: %j", (type, message) => {
    const text = JSON.stringify({ type: "struct", fields: [{ name: "x", type, nullable: true, metadata: {} }] });
    expect(() => parseSchema(text)).toThrow(new TypeError(message));
  });

  it.each(['"string"', '{"type":"struct"}', "{", '{"type":"struct","fields":[{"type":"long"}]}'])(
    "refuses what is no schema: %s",
    (text) => {
      expect(() => parseSchema(text)).toThrow(SyntaxError);
    },
  );

  it("refuses names that objects of JavaScript would lose", () => {
    const schema = (...names: string[]) =>
      JSON.stringify({ type: "struct", fields: names.map((name) => ({ name, type: "long", nullable: true })) });
    expect(() => parseSchema(schema("a", "b", "a"))).toThrow(new SyntaxError("schema has two fields named a"));
    expect(() => parseSchema(schema("__proto__"))).toThrow(TypeError);
    expect(parseSchema(schema("a", "A", "constructor")).fields).toHaveLength(3);
  });
});
