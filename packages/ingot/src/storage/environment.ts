/** Variables of the process, or those of a test: where credentials and endpoints come from. */
export type Environment = Readonly<Record<string, string | undefined>>;
