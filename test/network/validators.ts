/** Validators of one chain, each a CometBFT and a node, whose processes are killed and restarted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { toTimeNs } from '../../src/core/primitives.js';
import { crypto } from '../core/app/support.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, CHAIN_ID } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import type { CometProcess } from './comet-process.js';
import { type Machine, makeNetwork, shareGenesis, startApplication, startComet, until } from './cometbft.js';

/** Processes that a kill ends: only CometBFT, the node and with it CometBFT, or both at once. */
export type Victim = 'engine' | 'node' | 'both';

/** Writes a genesis in which the key of every home is a validator, with equal powers or with these powers. */
export function genesisOf(homes: readonly string[], powers: readonly bigint[] = []): void {
  const validators = homes.map((home, index) => {
    const file = readFileSync(join(home, 'config', 'priv_validator_key.json'), 'utf8');
    const { pub_key: key }: { readonly pub_key: { readonly value: string } } = JSON.parse(file);
    return {
      publicKey: new Uint8Array(Buffer.from(key.value, 'base64')),
      power: powers[index] ?? 100n,
      name: `node${index}`,
    };
  });
  const accounts = ACCOUNTS.map(({ bech32 }) => bech32);
  const time = toTimeNs(BigInt(Date.now()) * 1_000_000n);
  shareGenesis(homes, devGenesis(crypto, { chainId: CHAIN_ID, time, accounts, validators }));
}

export class Validator {
  readonly machine: Machine;
  #app: DaemonProcess;
  #comet: CometProcess;

  private constructor(machine: Machine, app: DaemonProcess, comet: CometProcess) {
    this.machine = machine;
    this.#app = app;
    this.#comet = comet;
  }

  /** Starts so many validators of equal power on a new chain; `args` are extra arguments of their nodes. */
  static async startAll(count: number, args: readonly string[] = []): Promise<readonly Validator[]> {
    const machines = await makeNetwork(count, (homes) => genesisOf(homes));
    return Promise.all(machines.map((machine) => Validator.start(machine, args)));
  }

  /** Starts the node and the engine of a machine. */
  static async start(machine: Machine, args: readonly string[] = []): Promise<Validator> {
    return new Validator(machine, await startApplication(machine, args), startComet(machine));
  }

  get endpoints(): DaemonProcess['endpoints'] {
    return this.#app.endpoints;
  }

  /** Calls an Ethereum method of the node. */
  ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    return callEthereum<Result>(this.endpoints.eth_http ?? '', method, params);
  }

  async height(): Promise<number> {
    return Number(await this.ask<string>('eth_blockNumber'));
  }

  /** Resolves when the node has published a block of this height. */
  async reached(height: number): Promise<void> {
    await until(async () => (await this.height()) >= height);
  }

  async kill(victim: Victim): Promise<void> {
    if (victim === 'engine') return void (await this.#comet.kill('SIGKILL'));
    if (victim === 'both') void this.#comet.kill('SIGKILL');
    await this.#app.kill('SIGKILL');
    // An engine exits with its application.
    await this.#comet.exited;
  }

  /** Restarts the processes that a kill ended. */
  async restart(victim: Victim): Promise<void> {
    if (victim !== 'engine') this.#app = await startApplication(this.machine);
    this.#comet = startComet(this.machine);
  }

  /** Kills the engine and stops the node cleanly. */
  async stop(): Promise<void> {
    await this.#comet.kill('SIGKILL');
    const exit = await this.#app.kill('SIGTERM');
    if (exit.code !== 0) throw new Error(`stopped with ${JSON.stringify(exit)}: ${this.#app.stderr()}`);
  }
}
