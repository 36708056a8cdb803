/** False if NO_COLOR is not empty (no-color.org), and on terminals without escape sequences. */
export function isColourWanted({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}

/** Clears the current line of a terminal: carriage return, then erase to the end of the line (EL, ECMA-48 8.3.41). */
export const CLEARED_LINE = '\r\u001b[K';
