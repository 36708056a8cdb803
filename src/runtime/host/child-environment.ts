/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Prefix of this program's own variables, some of which are secrets (mnemonic, passphrase). */
const OWN = 'CHRONICLED_';

/** The environment for a third-party child process such as a compiler: without this program's own variables. */
export function childEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(OWN) || value === undefined ? [] : [[name, value]],
    ),
  );
}
