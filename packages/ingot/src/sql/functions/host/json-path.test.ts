import { expect, it } from "vitest";
import { followPath, readPath } from "./json-path.js";
import { parseJson } from "./json-value.js";

// Spark 4.2's `get_json_object`.
it.each([
  ['[{"a":"b"},{"a":"c"}]', "$[*].a", '["b","c"]'],
  ['[{"a":"b"}]', "$[*].a", '"b"'],
  ['{"x":[1]}', "$.x[*]", "1"],
  ['{"x":[]}', "$.x[*]", undefined],
  ['{"x":[{"a":[1,2]},{"a":[3]}]}', "$.x[*].a[0]", "[1,3]"],
  ['{"x":[[1,2],[3]]}', "$.x[*][*]", "[1,2,3]"],
  ['{"x":[[1,2],[3]]}', "$.x[0][*]", "[1,2]"],
  ['{"a":{"b":[1,{"c":"x"}]}}', "$.a.b[1].c", "x"],
  ['{"a":1}', "$.*", undefined],
  ['{"a":1}', "a", undefined],
])("%s at %s", (text, path, found) => {
  const steps = readPath(path);
  const value = parseJson(text);
  expect(steps === undefined || value === undefined ? undefined : followPath(value, steps)).toBe(found);
});
