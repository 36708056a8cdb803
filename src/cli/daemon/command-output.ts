/** The streams of a command that runs or reads a node. */
export interface CommandOutput {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Shows one line in place of the last one, an empty one clears it; only where standard error is a terminal. */
  readonly status?: (text: string) => void;
}
