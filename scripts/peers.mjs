/**
 * The programs that tests compare Ingot with: delta-rs and Sail (Python environments) and Apache Spark (jars). They are
 * installed once, by the machine's own pip and Maven, into a cache outside the tree; a changed recipe makes a new folder.
 *
 *   node scripts/peers.mjs     installs all, prints where they are; exit code 1 when one is missing
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** delta-rs (`deltalake[pyarrow]`) and DuckDB with its delta extension, with all that they bring, pinned. */
const PYTHON_PACKAGES = [
  "deltalake==1.6.6",
  "pyarrow==26.0.1",
  "arro3-core==0.9.1",
  "Deprecated==1.3.1",
  "typing_extensions==4.16.0",
  "wrapt==2.5.2",
  "duckdb==1.5.5",
  "duckdb-extension-delta==1.5.5",
];

/** Another server that speaks Spark Connect. */
const SAIL_PACKAGES = ["pysail==0.7.2"];

/** Delta's artifact names the Spark that it is built for: `delta-spark_4.2` goes with Spark 4.2. */
const JARS = [
  "org.apache.spark:spark-sql_2.13:4.2.0",
  "org.apache.spark:spark-connect_2.13:4.2.0",
  "org.apache.spark:spark-pipelines_2.13:4.2.0",
  "io.delta:delta-spark_4.2_2.13:4.4.0",
];
const COPY_JARS = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
/** Spark 4.2 runs on Java 17 and newer. */
const OLDEST_JAVA = 17;

const QUESTION_LIMIT_MS = 30_000;
const INSTALL_LIMIT_MS = 600_000;
/** No install takes this long: an older draft is of a process that was killed. */
const ABANDONED_MS = 3_600_000;

const DELTALAKE_MODULES = ["deltalake", "duckdb", "duckdb_extension_delta", "pyarrow"];
export const deltalake = once(() => orMissing(() => installPython("deltalake", PYTHON_PACKAGES, DELTALAKE_MODULES)));
export const sail = once(() => orMissing(() => installPython("sail", SAIL_PACKAGES, ["pysail"])));
export const sparkJars = once(() => orMissing(installSparkJars));

/** An environment of Python with these packages, in which these modules can be imported. */
async function installPython(name, packages, modules) {
  const python = await run("python3", ["-c", "import sys; print(sys.version, sys.base_prefix)"], QUESTION_LIMIT_MS);
  const requirements = packages.join("\n");
  const folder = await installOnce(name, `${requirements}\n${python}`, async (draft) => {
    await run("python3", ["-m", "venv", draft], INSTALL_LIMIT_MS);
    await writeFile(join(draft, "requirements.txt"), requirements);
    // Only `bin/python` is used, and it finds its packages from where it stands: it may be renamed.
    const pip = ["-m", "pip", "install", "--no-input", "--no-compile", "-r", join(draft, "requirements.txt")];
    await run(join(draft, "bin/python"), pip, INSTALL_LIMIT_MS);
    await run(join(draft, "bin/python"), ["-c", `import ${modules.join(", ")}`], QUESTION_LIMIT_MS);
  });
  return { python: join(folder, "bin/python") };
}

async function installSparkJars() {
  const java = process.env["JAVA_HOME"] ? join(process.env["JAVA_HOME"], "bin/java") : "java";
  const modules = await run(java, ["--list-modules"], QUESTION_LIMIT_MS);
  const compiler = /jdk\.compiler@(\d+)/.exec(modules);
  if (compiler === null || Number(compiler[1]) < OLDEST_JAVA) {
    throw new Error(`${java} is no JDK of version ${OLDEST_JAVA} or newer; install one, or let JAVA_HOME name it`);
  }
  const pom = projectOf(JARS);
  const folder = await installOnce("spark", `${pom}\n${COPY_JARS}`, async (draft) => {
    const file = join(draft, "pom.xml");
    await writeFile(file, pom);
    const target = [`-DoutputDirectory=${join(draft, "jars")}`, "-DincludeScope=runtime"];
    await run("mvn", ["--batch-mode", "--quiet", "--file", file, COPY_JARS, ...target], INSTALL_LIMIT_MS);
  });
  return { java, classpath: join(folder, "jars", "*") };
}

function projectOf(jars) {
  const dependencies = jars.map((jar) => {
    const [group, artifact, version] = jar.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>ingot</groupId><artifactId>peers</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${dependencies.join("\n")}
</dependencies>
</project>
`;
}

/**
 * The folder of a finished install of `recipe`. `install(draft)` fills a folder of its own, which gets its final name
 * only when all is there, so that a killed install is never taken for a finished one. Two installs at once are harmless:
 * the first to finish wins.
 */
export async function installOnce(name, recipe, install) {
  const cache = process.env["INGOT_CACHE"] ?? join(homedir(), ".cache", "ingot");
  const hash = createHash("sha256").update(recipe).digest("hex").slice(0, 12);
  const folder = join(cache, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(folder);
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    await install(draft);
    await rename(draft, folder);
  } catch (error) {
    if (existsSync(folder)) return folder;
    const log = `${folder}.log`;
    await writeFile(log, `${error.message}\n${error.output ?? ""}`);
    throw new Error(`${error.message}\n${lastLines(error.output ?? "")}\nAll of it: ${log}`, { cause: error });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

async function removeAbandoned(folder) {
  const cache = dirname(folder);
  for (const entry of await readdir(cache)) {
    if (!entry.startsWith(`${basename(folder)}.draft-`)) continue;
    const draft = join(cache, entry);
    // Its owner may remove it at this moment.
    const made = await stat(draft).then(
      (stats) => stats.mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - made > ABANDONED_MS) await rm(draft, { recursive: true, force: true });
  }
}

/** The output of a program. An error carries its whole output as `output`. */
function run(command, args, limitMs) {
  const options = { timeout: limitMs, killSignal: "SIGKILL", maxBuffer: 64 * 2 ** 20 };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const end = error.killed ? `was stopped after ${limitMs / 1000} s` : `failed (${error.code})`;
      const why = error.code === "ENOENT" ? `${command} is not installed` : `${command} ${args.join(" ")} ${end}`;
      reject(Object.assign(new Error(why), { output: stdout + stderr }));
    });
  });
}

function lastLines(text) {
  return text.trimEnd().split("\n").slice(-15).join("\n");
}

async function orMissing(install) {
  try {
    return await install();
  } catch (error) {
    return { missing: error.message };
  }
}

function once(start) {
  let result;
  return () => {
    result ??= start();
    return result;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const peers = { deltalake: await deltalake(), sail: await sail(), spark: await sparkJars() };
  process.stdout.write(`${JSON.stringify(peers, null, 2)}\n`);
  if (Object.values(peers).some((peer) => "missing" in peer)) process.exitCode = 1;
}
