/** The boundary rules of ARCHITECTURE.md, enforced. */
const ORDER = [
  "model",
  "sap",
  "sql",
  "config",
  "define",
  "graph",
  "quality",
  "cdc",
  "plan",
  "sources",
  "engine",
  "storage",
  "run",
  "listen",
  "parity",
  "export",
  "serve",
  "cli",
];
const folder = (name) => `^packages/ingot/src/${name}/`;
/** The same of packages/delta, in the order of its README. */
const DELTA_ORDER = [
  "store",
  "log",
  "schema",
  "protocol",
  "files",
  "snapshot",
  "changes",
  "commit",
  "engine",
  "operations",
  "javascript",
];
const deltaFolder = (name) => `^packages/delta/src/${name}/`;
const UNIT_TESTS = "\\.test\\.ts$";

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...ORDER.map((name, i) => ({
      name: `${name}-looks-only-down`,
      comment: "A folder imports only from those before it in the order of ARCHITECTURE.md.",
      severity: "error",
      from: { path: folder(name), pathNot: UNIT_TESTS },
      to: { path: [...ORDER.slice(i + 1), "public"].map(folder) },
    })),
    ...DELTA_ORDER.map((name, i) => ({
      name: `delta-${name}-looks-only-down`,
      comment: "A folder imports only from those before it in the order of packages/delta/README.md.",
      severity: "error",
      from: { path: deltaFolder(name), pathNot: UNIT_TESTS },
      to: { path: [...DELTA_ORDER.slice(i + 1).map(deltaFolder), "^packages/delta/src/index\\.ts$"] },
    })),
    {
      name: "delta-stands-alone",
      severity: "error",
      from: { path: "^packages/delta/" },
      to: { path: "^packages/ingot/" },
    },
    {
      name: "only-the-engine-knows-duckdb",
      severity: "error",
      from: { path: "^packages/", pathNot: ["^packages/ingot/src/engine/duckdb/", UNIT_TESTS] },
      to: { path: "@duckdb" },
    },
    {
      name: "translator-on-demand",
      comment: "A run with nothing changed takes what was compiled before, and must not load the translator.",
      severity: "error",
      from: { path: "^packages/ingot/src/sql/compiler\\.ts$" },
      to: {
        path: "^packages/ingot/src/sql/(bind|lower|parse|functions|compile\\.ts|check-streaming)",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "only-storage-knows-clouds",
      severity: "error",
      from: { path: "^packages/", pathNot: ["^packages/ingot/src/storage/"] },
      to: { path: "node_modules/@(aws-sdk|azure|google-cloud)/" },
    },
    {
      name: "only-the-spark-engine-knows-connect",
      severity: "error",
      from: { path: "^packages/", pathNot: ["^packages/ingot/src/engine/spark/connect/", UNIT_TESTS] },
      to: { path: "node_modules/(@connectrpc|@bufbuild|apache-arrow)/" },
    },
    {
      name: "connect-on-demand",
      comment: "Who runs embedded needs none of its packages.",
      severity: "error",
      from: { path: "^packages/", pathNot: ["^packages/ingot/src/engine/spark/connect/", UNIT_TESTS] },
      to: {
        path: "^packages/ingot/src/engine/spark/connect/(?!(open-session|relations|remote)\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "only-the-engine-knows-delta",
      severity: "error",
      from: { path: "^packages/ingot/", pathNot: ["^packages/ingot/src/(engine|storage)/", UNIT_TESTS] },
      to: { path: "^packages/delta/" },
    },
    {
      name: "packages-enter-by-the-front-door",
      severity: "error",
      from: { path: "^packages/ingot/" },
      to: { path: "^packages/delta/src/(?!index\\.ts$)" },
    },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "not-to-dev-dep",
      severity: "error",
      from: { path: "^packages/[^/]+/src", pathNot: UNIT_TESTS },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["/dist/", "^packages/delta/src/testing/"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ["source", "import", "node", "default"], exportsFields: ["exports"] },
  },
};
