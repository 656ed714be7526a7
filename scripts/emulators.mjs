/**
 * Services that stand in for the clouds in tests: moto (S3), azurite (Azure), fake-gcs-server (Google). Installed once,
 * by the machine's own pip, npm and Go, beside the peers of `peers.mjs`.
 *
 *   node scripts/emulators.mjs     installs all, prints where they are; exit code 1 when one is missing
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installOnce } from "./peers.mjs";

/** `moto[s3]` and what its server needs, with all that they bring, pinned. */
const MOTO = [
  "moto==5.2.5",
  "blinker==1.9.0",
  "boto3==1.44.8",
  "botocore==1.44.8",
  "certifi==2026.10.19.post1",
  "cffi==2.1.1",
  "charset-normalizer==3.5.3",
  "click==8.5.1",
  "cryptography==50.0.2",
  "Flask==3.1.3",
  "flask-cors==6.0.5",
  "idna==3.20",
  "itsdangerous==2.2.0",
  "Jinja2==3.1.6",
  "jmespath==1.1.0",
  "MarkupSafe==3.0.4",
  "py-partiql-parser==0.6.3",
  "pycparser==3.12",
  "python-dateutil==2.9.0.post0",
  "PyYAML==6.0.4",
  "requests==2.34.2",
  "responses==0.26.3",
  "s3transfer==0.19.3",
  "six==1.17.0",
  "urllib3==2.8.0",
  "Werkzeug==3.1.9",
  "xmltodict==1.0.4",
];
/** 3.37 wants Node 22. */
const AZURITE = "azurite@3.35.0";
const FAKE_GCS = "github.com/fsouza/fake-gcs-server@v1.56.1";

const INSTALL_LIMIT_MS = 600_000;
const run = promisify(execFile);

/** Each gives the program and its first arguments, or why it cannot be had. */
export const emulators = {
  s3: once(async () => {
    const folder = await installOnce("moto", MOTO.join("\n"), async (draft) => {
      await command("python3", ["-m", "venv", draft]);
      const pip = ["-m", "pip", "install", "--no-input", "--no-compile", "--no-deps", ...MOTO];
      await command(join(draft, "bin/python"), pip);
    });
    // The script `bin/moto_server` names the draft's folder.
    return [join(folder, "bin/python"), "-c", "from moto.server import main; main()"];
  }),
  azure: once(async () => {
    const folder = await installOnce("azurite", AZURITE, async (draft) => {
      await writeFile(join(draft, "package.json"), "{}");
      await command("npm", ["install", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund", AZURITE]);
    });
    return [process.execPath, join(folder, "node_modules/azurite/dist/src/blob/main.js")];
  }),
  google: once(async () => {
    const folder = await installOnce("fake-gcs-server", FAKE_GCS, async (draft) => {
      await command("go", ["install", FAKE_GCS], { ...process.env, GOBIN: draft });
    });
    return [join(folder, "fake-gcs-server")];
  }),
};

async function command(program, args, env = process.env) {
  await run(program, args, { env, timeout: INSTALL_LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 64 * 2 ** 20 });
}

function once(install) {
  let result;
  return () => {
    result ??= install().then(
      (program) => ({ program }),
      (error) => ({ missing: error.message }),
    );
    return result;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = {};
  for (const [name, install] of Object.entries(emulators)) all[name] = await install();
  process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  if (Object.values(all).some((one) => "missing" in one)) process.exitCode = 1;
}
