import { ofEachFace, type DaemonOptions, type Face } from '../config/daemon-options.js';
import { createDaemonConfig } from '../config/index.js';
import { SECOND_PORTS } from '../config/second-chain.js';
import { StartFailed } from './start-failed.js';
import type { FaceName, Mining, StartOptions } from './types.js';

/** A chain that code starts ignores environment variables and configuration files. */
const config = createDaemonConfig({ env: {}, userHome: '', readFile: () => undefined, isDirectory: () => false });

/** Maps the face names of the ready file to those of this API. */
const NAME_OF: Readonly<Record<Face, FaceName | undefined>> = {
  comet: 'comet',
  eth_http: 'ethHttp',
  eth_ws: 'ethWs',
  grpc: 'grpc',
  rest: 'rest',
  rest_alias: undefined,
  metrics: 'metrics',
};

const MS_PER_SECOND = 1_000;
const LAST_PORT = 65_535;

/**
 * Options of a daemon in dev mode in the given home. Defaults and checks are those of the command line, except that the
 * system chooses the ports and that there is no heartbeat. Throws StartFailed with `E_CONFIG`.
 */
export async function daemonOptions(given: StartOptions, home: string, ephemeral: boolean): Promise<DaemonOptions> {
  if (home === '') throw new StartFailed('E_CONFIG', 'ephemeral: false needs a folder: set `home`');
  const flags = Object.entries({
    home,
    ephemeral: String(ephemeral),
    'port-base': '0',
    'chain-id': given.chainId,
    'evm-chain-id': given.evmChainId?.toString(),
    'bech32-prefix': given.bech32Prefix,
    denom: given.denom,
    accounts: given.accounts?.count?.toString(),
    mnemonic: given.accounts?.mnemonic,
    balance: given.accounts?.balance?.toString(),
    deterministic: given.deterministic === undefined ? undefined : String(given.deterministic),
    ibc: given.ibc === undefined ? undefined : String(given.ibc),
    genesis: given.genesisFile,
    'log-level': given.logLevel ?? 'error',
    ...miningFlags(given.mining ?? 'instant'),
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const resolved = config.resolve('dev', new Map(flags));
  const problem = resolved.ok ? await config.check(resolved.options) : resolved.problem;
  if (!resolved.ok || problem !== undefined) throw new StartFailed(problem?.code ?? 'E_CONFIG', problem?.message ?? '');
  const { options } = resolved;
  return {
    ...options,
    listen: listenOn(options.listen, given.ports ?? {}, options.ibc ? LAST_PORT - SECOND_PORTS : LAST_PORT),
    mining: options.mining.kind === 'instant' ? { kind: 'instant', heartbeatMs: undefined } : options.mining,
  };
}

function miningFlags(mining: Mining): { readonly mining: string; readonly 'block-time'?: string } {
  if (typeof mining === 'string') return { mining };
  return { mining: 'interval', 'block-time': (mining.intervalMs / MS_PER_SECOND).toString() };
}

function listenOn(
  listen: DaemonOptions['listen'],
  ports: NonNullable<StartOptions['ports']>,
  last: number,
): DaemonOptions['listen'] {
  return ofEachFace((face) => {
    const name = NAME_OF[face];
    const port = (name === undefined ? undefined : ports[name]) ?? 0;
    if (!Number.isInteger(port) || port < 0 || port > last)
      throw new StartFailed(
        'E_CONFIG',
        `ports.${name}: ${port} is not a port${last < LAST_PORT ? ' below that of a second chain' : ''}`,
      );
    return { host: listen[face].host, port };
  });
}
