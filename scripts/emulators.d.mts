/** The command line that starts it, or why it cannot be had on this machine. */
export type Emulator = { readonly program: readonly string[] } | { readonly missing: string };

export const emulators: {
  readonly s3: () => Promise<Emulator>;
  readonly azure: () => Promise<Emulator>;
  readonly google: () => Promise<Emulator>;
};
