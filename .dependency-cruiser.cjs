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
  "serve",
  "cli",
];
const folder = (name) => `^packages/ingot/src/${name}/`;
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
      name: "only-the-engine-knows-delta",
      severity: "error",
      from: { path: "^packages/ingot/", pathNot: ["^packages/ingot/src/(engine/duckdb|storage)/", UNIT_TESTS] },
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
      to: { dependencyTypes: ["npm-dev"] },
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
