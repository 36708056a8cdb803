import { FACES, type Face } from '../../config/daemon-options.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** The address options of clients, each with its environment variable, face and URL scheme. */
const ASKED: readonly (readonly [option: string, variable: string, face: Face, scheme: string])[] = [
  ['node', 'CHRONICLED_NODE', 'comet', 'tcp'],
  ['eth-node', 'CHRONICLED_ETH_NODE', 'eth_http', 'http'],
];

/**
 * Addresses of a local node that runs with `--port-base`, by option. The base comes from the flag, else from the
 * variable that the node also reads; an explicit address takes precedence over the base. Throws a usage error for
 * base 0, because then the ports are unknown.
 */
export function addressesByPortBase(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const [option, variable, face, scheme] of ASKED) {
    const base = flag ?? (env[variable] === undefined ? env['CHRONICLED_PORT_BASE'] : undefined);
    // Ignore a base of 0 in the variable: the system chose the ports, and the node's banner shows them.
    if (base === undefined || base === '' || (base === '0' && flag === undefined)) continue;
    addresses.set(option, `${scheme}://127.0.0.1:${portOf(base) + FACES.indexOf(face)}`);
  }
  return addresses;
}

function portOf(base: string): number {
  const port = /^[0-9]{1,5}$/.test(base) ? Number(base) : -1;
  if (port === 0)
    throw new CommandError(EXIT.usage, '--port-base: with 0 the system chose the ports, and the banner names them');
  if (port < 0 || port > 65_535 - FACES.length + 1)
    throw new CommandError(EXIT.usage, `--port-base: ${JSON.stringify(base)} is not the port base of a node`);
  return port;
}
