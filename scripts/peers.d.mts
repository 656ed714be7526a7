/** Why a peer cannot be had on this machine. */
export interface Missing {
  readonly missing: string;
}
/** The Python that has a peer. */
export interface PeerPython {
  readonly python: string;
}
/** A JDK, and the class path of Spark with Delta. */
export interface SparkJars {
  readonly java: string;
  readonly classpath: string;
}

export function deltalake(): Promise<PeerPython | Missing>;
export function sail(): Promise<PeerPython | Missing>;
export function sparkJars(): Promise<SparkJars | Missing>;
/** The folder that `install` filled, once for each recipe. */
export function installOnce(name: string, recipe: string, install: (draft: string) => Promise<void>): Promise<string>;
