/** The outside world of a command, passed in so that tests can pass another one. */
export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => Date;
  /** Who runs the command: told in the event log, never a condition. */
  readonly user: string;
  /** Calls back for each Ctrl-C (or SIGTERM); gives the way to stop listening. */
  onInterrupt(listener: () => void): () => void;
  readStdin(): Promise<string>;
}

export interface Stream {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
  /** Height of the terminal, where there is one. */
  readonly rows?: number;
}

/** What runs a project's queries: this process where nothing is said. */
export interface EngineOptions {
  readonly engine?: "duckdb" | "spark";
  /** Of Spark: its connection string. */
  readonly remote?: string;
}

/** Options that every command about a project has. */
export interface ProjectOptions {
  readonly project?: string;
  readonly spec?: string;
  readonly json?: boolean;
  readonly set?: Readonly<Record<string, string>>;
}
