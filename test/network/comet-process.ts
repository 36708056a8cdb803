/** Processes of CometBFT 0.38, as `scripts/install-clients.js` installs it. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CLIENTS, isInstalled } from '../clients/clients.js';
import { endAfterwards, type Exit } from '../support/daemon.js';

const PROGRAM = join('bin', 'cometbft');
export const COMETBFT = join(CLIENTS, PROGRAM);
/** Number of output lines that a failure shows. */
const SHOWN = 100;

/** True if CometBFT is installed; otherwise prints that its tests are skipped. */
export const hasCometbft = (): boolean => isInstalled('CometBFT', PROGRAM);

export interface CometProcess {
  /** Resolves when the process has exited, for any reason. */
  readonly exited: Promise<Exit>;
  /** Sends a signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** Last lines of its output. */
  output(): string;
}

/** Starts CometBFT with these arguments; the process is killed after the test. `onLine` gets its output lines. */
export function startCometbft(args: readonly string[], onLine: (line: string) => void = () => undefined): CometProcess {
  const lines: string[] = [];
  const child = spawn(COMETBFT, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > SHOWN) lines.shift();
      onLine(line);
    });
  const exited = new Promise<Exit>((done) => child.once('close', (code, signal) => done({ code, signal })));
  if (child.pid !== undefined) endAfterwards(child.pid, exited);
  return {
    exited,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
    output: () => lines.join('\n'),
  };
}

/** A free port. The processes of a network must know each other's ports before the first one starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a port has an address');
  return address.port;
}
