/** Records file operations of programs on one disk with strace, and what their clients were told. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { callEthereum } from '../e2e/ethereum-client.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { ownEnvironment } from '../support/own-environment.js';
import { temporaryFolder } from '../support/temporary.js';
import { TRACED, TraceReader, type Told } from './strace.js';
import type { Fact, Life, Trace } from './trace.js';

/** True if strace is installed and may trace. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}

/** A recorded running node. */
export interface RecordedNode {
  readonly eth: string;
  readonly comet: string;
  /** Adds an answer that a client has just received to the trace. */
  told(fact: Fact): void;
  /** Adds the present request of a client to the trace. */
  asks(fact: Fact): void;
  /** Requests the newest block and adds it to the trace. */
  seeHead(): Promise<number>;
  /** Polls for the receipt of a transaction and adds its block to the trace. */
  seeReceipt(hash: string): Promise<void>;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export class Recorder {
  /** The folder that stands for the disk, and the home on it. */
  readonly disk = temporaryFolder();
  readonly home = join(this.disk, 'home');
  readonly #program: string;
  readonly #reader = new TraceReader(this.disk);
  readonly #outputs = temporaryFolder();
  #lives = 0;

  /** `program` is the `main.js` of the recorded build. */
  constructor(program: string) {
    this.#program = program;
  }

  /** Starts a node. `end` must end it before the next one starts. */
  async start(life: Partial<Life> & { readonly name: string }, args: readonly string[] = []): Promise<RecordedNode> {
    const output = this.#output();
    const told: Told[] = [];
    const node = await startDaemonProcess({
      home: this.home,
      args: ['--quiet', ...args],
      program: this.#program,
      launch: [...strace(output), process.execPath],
      env: { UV_USE_IO_URING: '0' },
    });
    const tell: RecordedNode['told'] = (fact) => void told.push({ at: knownAt(), fact });
    return {
      ...clientsOf(node, tell),
      told: tell,
      asks: (fact) => void told.push({ at: Date.now() / 1_000, fact }),
      end: async (signal) => {
        process.kill(node.pid, signal);
        await node.exited;
        this.#reader.add(output, { args: [], removes: false, takesBack: false, ...life }, told);
      },
    };
  }

  /** Runs a command until it exits; throws if it fails. */
  async run(life: Partial<Life> & { readonly name: string }, args: readonly string[]): Promise<void> {
    const output = this.#output();
    const [program = '', ...words] = strace(output);
    const child = spawn(program, [...words, process.execPath, this.#program, ...args, '--home', this.home], {
      env: ownEnvironment({ UV_USE_IO_URING: '0' }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    this.#reader.add(output, { args: [], removes: false, takesBack: false, ...life }, []);
  }

  trace(name: string): Trace {
    return { name, operations: this.#reader.operations };
  }

  #output(): string {
    this.#lives += 1;
    return join(this.#outputs, `${this.#lives}`);
  }
}

function strace(output: string): string[] {
  return [
    'strace',
    '-f',
    '--seccomp-bpf',
    '-y',
    '-xx',
    '-ttt',
    '-T',
    '-s',
    '16777216',
    '-o',
    output,
    '-e',
    `trace=${TRACED}`,
  ];
}

/** A moment in seconds that is not before now: `Date.now` is up to a millisecond behind. */
function knownAt(): number {
  return (Date.now() + 1) / 1_000;
}

interface AnsweredBlock {
  readonly number: string;
  readonly hash: string;
}

function clientsOf(
  { endpoints }: DaemonProcess,
  tell: RecordedNode['told'],
): Pick<RecordedNode, 'eth' | 'comet' | 'seeHead' | 'seeReceipt'> {
  const eth = endpoints.eth_http ?? '';
  return {
    eth,
    comet: endpoints.comet,
    async seeHead() {
      const { number, hash } = await callEthereum<AnsweredBlock>(eth, 'eth_getBlockByNumber', ['latest', false]);
      // Before the first block the answer is block 0, which is not in the log.
      if (Number(number) > 0) tell({ kind: 'shown', block: { height: Number(number), hash } });
      return Number(number);
    },
    async seeReceipt(sent) {
      for (;;) {
        const receipt = await callEthereum<{ readonly blockNumber: string; readonly blockHash: string } | null>(
          eth,
          'eth_getTransactionReceipt',
          [sent],
        );
        if (receipt === null) continue;
        return tell({ kind: 'shown', block: { height: Number(receipt.blockNumber), hash: receipt.blockHash } });
      }
    },
  };
}
