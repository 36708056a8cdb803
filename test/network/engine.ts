/** Real CometBFT processes: homes of a network, and engines that drive applications. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from '../clients/clients.js';
import { temporaryFolder } from '../support/temporary.js';
import { COMETBFT, type CometProcess, freePort, startCometbft } from './comet-process.js';

export const ABCI_CLI = join(CLIENTS, 'bin', 'abci-cli');

/** Home of an engine, with the addresses that it uses at every start. */
export interface EngineHome {
  readonly home: string;
  readonly nodeId: string;
  readonly p2pPort: number;
}

/** Homes of a new network of equal validators, with short timeouts. */
export async function makeNetwork(validators: number): Promise<readonly EngineHome[]> {
  const folder = temporaryFolder();
  cometbft('testnet', '--v', `${validators}`, '--o', folder, '--populate-persistent-peers=false');
  const homes: EngineHome[] = [];
  for (let index = 0; index < validators; index += 1) {
    const home = join(folder, `node${index}`);
    setOptions(home, {
      timeout_propose: '"500ms"',
      timeout_prevote: '"200ms"',
      timeout_precommit: '"200ms"',
      timeout_commit: '"100ms"',
      addr_book_strict: 'false',
      allow_duplicate_ip: 'true',
      pex: 'false',
    });
    homes.push({ home, nodeId: cometbft('show-node-id', '--home', home).trim(), p2pPort: await freePort() });
  }
  return homes;
}

/** Changes options in config.toml; these names occur only once in it. */
function setOptions(home: string, options: Readonly<Record<string, string>>): void {
  const file = join(home, 'config', 'config.toml');
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of Object.entries(options))
    text = text.replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`);
  writeFileSync(file, text);
}

function cometbft(...args: readonly string[]): string {
  return execFileSync(COMETBFT, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A running engine. */
export class Engine {
  readonly #process: CometProcess;
  readonly #listeners = new Set<() => void>();
  #height = 0;
  #rpc: string | undefined;
  #hasEnded = false;

  /** Starts an engine for the application at `proxyApp`; the system chooses its RPC port. */
  constructor({ home, p2pPort }: EngineHome, proxyApp: string, peers: readonly EngineHome[] = []) {
    const addresses = peers.map((peer) => `${peer.nodeId}@127.0.0.1:${peer.p2pPort}`);
    this.#process = startCometbft(
      [
        ...['start', '--home', home, '--proxy_app', proxyApp, '--rpc.laddr', 'tcp://127.0.0.1:0'],
        ...['--p2p.laddr', `tcp://127.0.0.1:${p2pPort}`, '--p2p.persistent_peers', addresses.join(',')],
      ],
      (line) => this.#read(line),
    );
    void this.#process.exited.then(() => {
      this.#hasEnded = true;
      this.#tell();
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The last lines of its output. */
  get output(): string {
    return this.#process.output();
  }

  /** Resolves with the URL of its RPC. */
  rpc(): Promise<string> {
    return this.#until('its RPC', () => this.#rpc);
  }

  /** Waits until the last block has at least this height, and resolves with its height. */
  reached(height: number): Promise<number> {
    return this.#until(`block ${height}`, () => (this.#height >= height ? this.#height : undefined));
  }

  /** Resolves when the process has exited. */
  async ended(): Promise<void> {
    await this.#process.exited;
  }

  /** Kills the process. */
  async kill(): Promise<void> {
    await this.#process.kill('SIGKILL');
  }

  async #until<Value>(what: string, look: () => Value | undefined): Promise<Value> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#hasEnded) throw new Error(`CometBFT ended before ${what}:\n${this.output}`);
      await this.#told();
    }
  }

  #told(): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.add(resolve);
    });
  }

  #tell(): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  #read(line: string): void {
    this.#rpc ??= /Starting RPC HTTP server on ([0-9.:]+)/.exec(line)?.[1]?.replace(/^/, 'http://');
    const height = /committed state .*height=([0-9]+)/.exec(line)?.[1];
    if (height !== undefined) this.#height = Number(height);
    this.#tell();
  }
}
