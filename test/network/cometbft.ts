/** Machines of a network: CometBFT over `chronicled abci`. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROGRAM, startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { type CometProcess, freePort, startCometbft } from './comet-process.js';

const POLL_MS = 20;

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

/** Runs a command of this build to its end and answers its standard output. */
export function chronicled(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`chronicled ${args.join(' ')}: exit ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Homes of so many validators of one chain, which are each other's peers. `genesis` makes it from their homes. */
export async function makeNetwork(
  count: number,
  genesis: (homes: readonly string[]) => void = () => undefined,
): Promise<readonly Machine[]> {
  const made = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const home = temporaryFolder();
      chronicled('init', `node${index}`, '--home', home);
      const [rpc, p2p] = [await freePort(), await freePort()];
      const nodeId = chronicled('comet', 'show-node-id', '--home', home).trim();
      return { home, comet: join(home, 'comet'), socket: `unix://${join(home, 'abci.sock')}`, rpc, p2p, nodeId };
    }),
  );
  genesis(made.map(({ home }) => home));
  const machines = made.map((one) => ({ ...one, rpc: `http://127.0.0.1:${one.rpc}`, p2p: `127.0.0.1:${one.p2p}` }));
  for (const { home, comet, rpc, p2p, nodeId, socket } of machines) {
    const peers = machines.filter((other) => other.nodeId !== nodeId).map((other) => `${other.nodeId}@${other.p2p}`);
    chronicled(
      ...['comet', 'init', '--home', home, '--proxy-app', socket, '--timeout-commit', '200ms'],
      ...['--rpc-laddr', rpc.replace('http', 'tcp'), '--p2p-laddr', `tcp://${p2p}`],
      ...(peers.length === 0 ? [] : ['--persistent-peers', peers.join(',')]),
    );
    const config = join(comet, 'config', 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('[p2p]', '[p2p]\nallow_duplicate_ip = true'));
  }
  return machines;
}

/** Starts the application of a machine. */
export function startApplication({ home, socket, rpc }: Machine, args: readonly string[] = []): Promise<DaemonProcess> {
  return startDaemonProcess({ home, command: 'abci', args: ['--address', socket, '--comet', rpc, ...args] });
}

/** Starts CometBFT on a machine. */
export function startComet({ comet }: Machine): CometProcess {
  return startCometbft(['start', '--home', comet]);
}

/** Asks again until there is an answer; a question that fails has none. */
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
