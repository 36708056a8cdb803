/** The output streams of a daemon command. */
export interface CommandOutput {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Replaces the status line; an empty text clears it. Undefined if standard error is not a terminal. */
  readonly status?: (text: string) => void;
}
