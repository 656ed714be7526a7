import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action } from "./actions.js";
import { formatCommit, parseCommit } from "./commit-file.js";
import { encodePath } from "./path.js";

describe("parseCommit", () => {
  it("reads an add as the protocol's example writes it, longs exact", () => {
    const line =
      '{"add":{"path":"date=2017-12-10/a%20b.parquet","partitionValues":{"date":"2017-12-10","x":null},"size":841454,' +
      '"modificationTime":1512909768000,"dataChange":true,"baseRowId":9007199254740993,"stats":"{\\"numRecords\\":1}",' +
      '"deletionVector":{"storageType":"u","pathOrInlineDv":"ab^-aqEH","offset":4,"sizeInBytes":40,"cardinality":6}}}';
    expect(parseCommit(line)).toEqual([
      {
        add: {
          path: "date=2017-12-10/a b.parquet",
          uri: "date=2017-12-10/a%20b.parquet",
          partitionValues: { date: "2017-12-10", x: null },
          size: 841454,
          modificationTime: 1512909768000,
          dataChange: true,
          baseRowId: 9007199254740993n,
          stats: '{"numRecords":1}',
          deletionVector: {
            storageType: "u",
            pathOrInlineDv: "ab^-aqEH",
            offset: 4,
            sizeInBytes: 40,
            cardinality: 6n,
          },
        },
      },
    ]);
  });

  it("ignores actions and fields that it does not know, also beside an action that it knows", () => {
    const text = '{"newAction":{"a":1},"txn":{"appId":"a","version":7,"newField":{}}}\n\n{"checkpointMetadata":{}}\n';
    expect(parseCommit(text)).toEqual([{ txn: { appId: "a", version: 7n } }]);
  });

  it.each([
    ["", "the file is empty"],
    ['{"txn":{"appId":"a","version":1}}\n{"add":{"path":"f","par', "line 2: "],
    ['{"add":{"path":"f","partitionValues":{},"size":1,"modificationTime":1}}', "line 1: add: dataChange is missing"],
    ['{"txn":{"appId":"a","version":"1"}}', "line 1: txn: version is no integer"],
    ['{"remove":{"path":"%zz","dataChange":true}}', "line 1: remove: "],
    ['{"add":{"path":"f"}}{"add":{"path":"g"}}', "line 1: "],
    ["[]", "line 1: is no JSON object"],
  ])("names line and field of damage: %s", (text, message) => {
    expect(() => parseCommit(text)).toThrow(message);
  });
});

describe("formatCommit", () => {
  const texts = fc.dictionary(fc.string(), fc.option(fc.string()));
  const time = fc.nat();
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const path = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => ({ path: text, uri: encodePath(text) }));
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc
      .record({ path, partitionValues: texts, size: time, modificationTime: time, dataChange: fc.boolean(), long })
      .map(({ path: paths, long: baseRowId, ...rest }) => ({ add: { ...paths, ...rest, baseRowId } })),
    path.map((paths) => ({ remove: { ...paths, dataChange: true, deletionTimestamp: 1 } })),
    fc.record({ appId: fc.string(), version: long, lastUpdated: time }).map((txn) => ({ txn })),
    fc
      .record({ domain: fc.string(), configuration: fc.string(), removed: fc.boolean() })
      .map((domainMetadata) => ({ domainMetadata })),
  );

  it("writes one line an action, which parseCommit reads back", () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1 }), (actions) => {
        const text = formatCommit(actions);
        expect(text.split("\n")).toHaveLength(actions.length + 1);
        expect(parseCommit(text)).toEqual(actions);
      }),
    );
  });
});
