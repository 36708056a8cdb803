/** False if NO_COLOR is not empty (no-color.org), and on terminals without escape sequences. */
export function isColourWanted({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}
