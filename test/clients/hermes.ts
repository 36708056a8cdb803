/** Hermes, the relayer in Rust, unmodified: its configuration for two chains, its commands, and the relayer itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { CLIENTS, isInstalled, run } from './clients.js';
import type { RelayedChain } from './relayed.js';

const PROGRAM = join('hermes', 'bin', 'hermes');
export const hasHermes = (): boolean => isInstalled('Hermes', PROGRAM);
/** Number of blocks between two searches for pending packets. */
const CLEAR_BLOCKS = 10;
const ATTEMPTS = 5;

/** Hermes between two chains, with its own home. */
export class Hermes {
  readonly #config: string;
  readonly #folder = temporaryFolder();

  /** New clients trust headers for `trustingSeconds`; the default is two thirds of the unbonding time of a chain. */
  constructor(
    readonly chains: readonly [RelayedChain, RelayedChain],
    trustingSeconds?: number,
  ) {
    this.#config = join(this.#folder, 'config.toml');
    const period = trustingSeconds === undefined ? '' : `trusting_period = '${trustingSeconds}s'\n`;
    writeFileSync(this.#config, configOf(chains, this.#folder, period));
  }

  /**
   * Runs one command and returns its output; throws if it fails. The running relayer has the same account. If it used
   * the sequence number of the command meanwhile, the command sent nothing and runs again.
   */
  async run(...args: readonly string[]): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const { code, output } = await run(join(CLIENTS, PROGRAM), ['--config', this.#config, ...args], {
        cwd: this.#folder,
      });
      if (code === 0) return output;
      if (attempt === ATTEMPTS || !output.includes('account sequence mismatch'))
        throw new Error(`hermes ${args.join(' ')}: ${output.slice(-4_000)}`);
    }
  }

  /** Adds the keys of both chains to the relayer's keyring. */
  async addKeys(): Promise<void> {
    const file = join(this.#folder, 'mnemonic');
    for (const { chainId, mnemonic } of this.chains) {
      writeFileSync(file, mnemonic);
      await this.run('keys', 'add', '--chain', chainId, '--mnemonic-file', file, '--hd-path', "m/44'/60'/0'/0/0");
    }
  }

  /** Creates clients, a connection and a transfer channel. Returns the identifiers of the channel on both chains. */
  async createChannel(): Promise<readonly [string, string]> {
    const [a, b] = this.chains;
    const output = await this.run(
      ...['create', 'channel', '--a-chain', a.chainId, '--b-chain', b.chainId],
      ...['--a-port', 'transfer', '--b-port', 'transfer', '--new-client-connection', '--yes'],
    );
    const [first, second] = output.slice(output.lastIndexOf('SUCCESS')).match(/channel-\d+/g) ?? [];
    if (first === undefined || second === undefined) throw new Error(`no channel: ${output.slice(-2_000)}`);
    return [first, second];
  }

  /** Sends coins from one chain to the other, with a timeout in seconds. */
  async transfer(
    from: RelayedChain,
    channelId: string,
    amount: string,
    denom: string,
    { seconds = 600, receiver = '' }: { readonly seconds?: number; readonly receiver?: string } = {},
  ): Promise<void> {
    const to = this.chains.find((chain) => chain !== from) ?? from;
    await this.run(
      ...['tx', 'ft-transfer', '--src-chain', from.chainId, '--dst-chain', to.chainId],
      ...['--src-port', 'transfer', '--src-channel', channelId, '--amount', amount, '--denom', denom],
      ...['--timeout-seconds', String(seconds)],
      ...(receiver === '' ? [] : ['--receiver', receiver]),
    );
  }

  /**
   * Starts the relayer, and resolves when it detects packets: it misses a packet sent between its query of the
   * channels and its subscription. The returned function stops it.
   */
  async start(): Promise<() => Promise<void>> {
    const child = spawn(join(CLIENTS, PROGRAM), ['--config', this.#config, 'start'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
    };
    afterwards(stop);
    const lines = createInterface({ input: child.stderr });
    await new Promise<void>((resolve, reject) => {
      let last = '';
      lines.on('line', (line) => {
        last = line;
        if (line.includes('Hermes has started')) resolve();
      });
      lines.once('close', () => reject(new Error(`hermes ended: ${last}`)));
    });
    return stop;
  }
}

function configOf(chains: readonly RelayedChain[], folder: string, period: string): string {
  const head = `[global]
log_level = 'info'
[mode.clients]
enabled = true
refresh = true
misbehaviour = true
[mode.connections]
enabled = false
[mode.channels]
enabled = false
[mode.packets]
enabled = true
clear_interval = ${CLEAR_BLOCKS}
clear_on_start = true
tx_confirmation = true
`;
  const tables = chains.map(
    ({ chainId, comet, grpc, prefix, denom }) => `
[[chains]]
id = '${chainId}'
type = 'CosmosSdk'
rpc_addr = '${comet}'
grpc_addr = '${grpc}'
event_source = { mode = 'push', url = '${comet.replace('http', 'ws')}/websocket', batch_delay = '200ms' }
rpc_timeout = '10s'
trusted_node = false
account_prefix = '${prefix}'
key_name = 'relayer'
key_store_folder = '${join(folder, 'keys')}'
address_type = { derivation = 'ethermint', proto_type = { pk_type = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' } }
store_prefix = 'ibc'
default_gas = 400000
max_gas = 10000000
gas_price = { price = 2000000000, denom = '${denom}' }
gas_multiplier = 1.3
max_msg_num = 30
max_tx_size = 180000
clock_drift = '15s'
max_block_time = '30s'
trust_threshold = '2/3'
${period}`,
  );
  return [head, ...tables].join('');
}
