/** rly, the relayer in Go, unmodified: its configuration for two chains, its commands, and the relayer itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { CLIENTS, isInstalled, run } from './clients.js';
import type { RelayedChain } from './relayed.js';

const PROGRAM = join('bin', 'rly');
/** No registry has the module of cosmos/relayer; build the program in a checkout with `GOWORK=off go build`. */
export const hasRly = (): boolean => isInstalled('rly', PROGRAM, 'go build of cosmos/relayer v2.6');
const PATH = 'path';
const KEY = 'relayer';

/** rly between two chains, with its own home. */
export class Rly {
  readonly #home = temporaryFolder();

  constructor(readonly chains: readonly [RelayedChain, RelayedChain]) {}

  /** Runs one command and returns its output; throws if it fails. */
  async run(...args: readonly string[]): Promise<string> {
    const { code, output } = await run(join(CLIENTS, PROGRAM), ['--home', this.#home, ...args], { cwd: this.#home });
    if (code !== 0) throw new Error(`rly ${args.join(' ')}: ${output.slice(-4_000)}`);
    return output;
  }

  /** Writes the configuration and creates the keys. Returns their addresses, which pay the fees. */
  async configure(): Promise<readonly string[]> {
    await this.run('config', 'init');
    const addresses: string[] = [];
    for (const { chainId, comet, prefix, denom, mnemonic } of this.chains) {
      const file = join(this.#home, `${chainId}.json`);
      const value = {
        key: KEY,
        'chain-id': chainId,
        'rpc-addr': comet,
        'account-prefix': prefix,
        'keyring-backend': 'test',
        'gas-adjustment': 1.5,
        'gas-prices': `2000000000${denom}`,
        debug: false,
        timeout: '20s',
        'output-format': 'json',
        'sign-mode': 'direct',
      };
      writeFileSync(file, JSON.stringify({ type: 'cosmos', value }));
      await this.run('chains', 'add', '--file', file, chainId);
      addresses.push((await this.run('keys', 'restore', chainId, KEY, mnemonic)).trim());
    }
    const [a, b] = this.chains;
    await this.run('paths', 'new', a.chainId, b.chainId, PATH);
    return addresses;
  }

  /** Creates clients, a connection and a transfer channel. */
  async link(): Promise<void> {
    await this.run('transact', 'link', PATH, '--src-port', 'transfer', '--dst-port', 'transfer');
  }

  /** Starts the relayer; the returned function stops it. */
  start(): () => Promise<void> {
    const args = ['--home', this.#home, 'start', PATH, '--flush-interval', '20s', '--log-format', 'json'];
    const child = spawn(join(CLIENTS, PROGRAM), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stderr });
    lines.on('line', (line) => {
      if (/"level":"error"/.test(line)) process.stdout.write(`rly: ${line.slice(0, 500)}\n`);
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
    };
    afterwards(stop);
    return stop;
  }
}
