/** Machines of a network: CometBFT over `chronicled abci`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM, startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { type CometProcess, freePort, startCometbft } from './comet-process.js';

const POLL_MS = 20;
const RECORDER = fileURLToPath(new URL('../../scripts/record-chain.js', import.meta.url));

/** A machine of a network: a home, and the addresses of its two processes. */
export interface Machine {
  readonly home: string;
  readonly comet: string;
  /** Address of the application. */
  readonly socket: string;
  readonly rpc: string;
  readonly p2p: string;
  readonly nodeId: string;
}

/** Runs a command of this build and returns its standard output. */
export function chronicled(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`chronicled ${args.join(' ')}: exit ${status}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * Records the chain of a CometBFT and executes its blocks again (`debug compare-chain`). Returns the count of equal
 * app hashes; throws if one differs.
 */
export function comparedAgain(rpc: string): number {
  const folder = temporaryFolder();
  execFileSync(process.execPath, [RECORDER, rpc, folder]);
  const told = chronicled('debug', 'compare-chain', folder, '--preset', 'chronicle');
  const [, equal] = /^(\d+) of \1 app hashes equal\n$/.exec(told) ?? [];
  if (equal === undefined) throw new Error(told);
  return Number(equal);
}

/**
 * Homes of so many validators of one chain, which are peers of each other. `genesis` makes the genesis from the
 * homes.
 */
export async function makeNetwork(
  count: number,
  genesis: (homes: readonly string[]) => void = () => undefined,
): Promise<readonly Machine[]> {
  const machines = await makeHomes(count);
  genesis(machines.map(({ home }) => home));
  for (const machine of machines)
    initComet(
      machine,
      machines.filter((other) => other.nodeId !== machine.nodeId),
    );
  return machines;
}

/** Homes with addresses, without CometBFT's folders. */
export async function makeHomes(count: number): Promise<readonly Machine[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const home = temporaryFolder();
      chronicled('init', `node${index}`, '--home', home);
      const [rpc, p2p] = [`http://127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
      const nodeId = chronicled('comet', 'show-node-id', '--home', home).trim();
      return { home, comet: join(home, 'comet'), socket: `unix://${join(home, 'abci.sock')}`, rpc, p2p, nodeId };
    }),
  );
}

/** Creates the folder of CometBFT on a machine; `args` are extra arguments of `comet init`. */
export function initComet(
  { home, comet, rpc, p2p, socket }: Machine,
  others: readonly Machine[],
  args: readonly string[] = [],
): void {
  const peers = others.map((other) => `${other.nodeId}@${other.p2p}`);
  chronicled(
    ...['comet', 'init', '--home', home, '--proxy-app', socket, '--timeout-commit', '200ms'],
    ...['--rpc-laddr', rpc.replace('http', 'tcp'), '--p2p-laddr', `tcp://${p2p}`],
    ...(peers.length === 0 ? [] : ['--persistent-peers', peers.join(',')]),
    ...args,
  );
  const config = join(comet, 'config', 'config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('[p2p]', '[p2p]\nallow_duplicate_ip = true'));
}

/** Starts the application of a machine. */
export function startApplication({ home, socket, rpc }: Machine, args: readonly string[] = []): Promise<DaemonProcess> {
  return startDaemonProcess({ home, command: 'abci', args: ['--address', socket, '--comet', rpc, ...args] });
}

/** Starts CometBFT on a machine. */
export function startComet({ comet }: Machine): CometProcess {
  return startCometbft(['start', '--home', comet]);
}

/** Repeats a request until it is answered; a request that throws counts as unanswered. */
export async function until<Answer>(ask: () => Promise<Answer | undefined | null | false>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    await pause(POLL_MS);
  }
}

/** Writes one genesis file into every home. */
export function shareGenesis(homes: readonly string[], document: unknown): void {
  for (const home of homes) writeFileSync(join(home, 'config', 'genesis.json'), JSON.stringify(document));
}
