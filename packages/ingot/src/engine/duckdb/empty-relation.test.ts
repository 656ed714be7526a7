import { expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { columns } from "../../graph/test-builders.js";
import type { DataType, Field } from "../../model/data-type.js";
import { duckdbType } from "../../sql/lower/lower-text.js";
import { fromDeltaSchema, toDeltaSchema } from "../tables/delta-schema.js";
import { emptyRelation } from "./empty-relation.js";
import { runSql } from "./test-session.js";

const kinds = "boolean tinyint smallint int bigint float double string binary date timestamp timestamp_ntz";
const atomic = columns(
  kinds
    .split(" ")
    .map((kind) => `c_${kind} ${kind}`)
    .join(", "),
);
const nested: DataType = {
  kind: "struct",
  fields: [
    {
      name: 'odd "name',
      type: { kind: "array", element: { kind: "decimal", precision: 38, scale: 18 }, containsNull: false },
      nullable: false,
    },
    {
      name: "m",
      type: { kind: "map", key: { kind: "string" }, value: { kind: "date" }, valueContainsNull: true },
      nullable: true,
    },
  ],
};
const schema: readonly Field[] = [...atomic, { name: "nested", type: nested, nullable: false, comment: "why" }];

it("duckdbType names a type that DuckDB knows for each of Spark's", async () => {
  const described = await runSql(writeProject({}), `DESCRIBE ${emptyRelation(schema)}`);
  expect(described.map(([name, type]) => `${name} ${type}`)).toEqual([
    "c_boolean BOOLEAN",
    "c_tinyint TINYINT",
    "c_smallint SMALLINT",
    "c_int INTEGER",
    "c_bigint BIGINT",
    "c_float FLOAT",
    "c_double DOUBLE",
    "c_string VARCHAR",
    "c_binary BLOB",
    "c_date DATE",
    "c_timestamp TIMESTAMP WITH TIME ZONE",
    "c_timestamp_ntz TIMESTAMP",
    'nested STRUCT("odd ""name" DECIMAL(38,18)[], m MAP(VARCHAR, DATE))',
  ]);
  expect(
    duckdbType({
      kind: "array",
      element: { kind: "array", element: { kind: "int" }, containsNull: true },
      containsNull: true,
    }),
  ).toBe("INTEGER[][]");
});

it("a schema goes to Delta and back whole", () => {
  const delta = toDeltaSchema(schema);
  expect(delta.fields.slice(0, 5).map((f) => f.type.kind)).toEqual(["boolean", "byte", "short", "integer", "long"]);
  expect(delta.fields.at(-1)?.metadata).toEqual({ comment: "why" });
  expect(fromDeltaSchema(delta)).toEqual(schema);
});
