/** Variables of a process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The prefix of this program's own variables; some hold a mnemonic or a passphrase. */
const OWN = 'CHRONICLED_';

/** The environment for a program of somebody else, such as a compiler: without the variables of this program. */
export function foreignEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(OWN) || value === undefined ? [] : [[name, value]],
    ),
  );
}
