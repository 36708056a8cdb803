/**
 * Runs of one home. Each run starts the node, compares it with everything that it acknowledged or published in
 * earlier runs, puts it under load, and ends it with SIGKILL. The restart after a run checks it.
 */
import { createHash } from 'node:crypto';
import { verifyChain } from '../core/comet/outside-verifier.js';
import { DaemonDied, type DaemonProcess, type Exit, startDaemonProcess } from '../support/daemon.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { type Signed, signedEither } from './load.js';
import { ResumingSubscriber } from './resuming-subscriber.js';

/** End of a run: a kill from outside after a number of acknowledgements, or the node's own at a fail point. */
export type Death =
  | { readonly kind: 'acknowledgements'; readonly count: number }
  | { readonly kind: 'fail point'; readonly name: string; readonly nth: number };

/** Accounts that send under load; now and then each waits for inclusion, as `broadcast_tx_commit` does. */
const SENDERS = 6;
/** The account after the senders; it sends the transaction that the checks wait for. */
const CHECKER = SENDERS;
/** One in this number of transactions waits for its block; the others wait for admission. */
const COMMIT_EVERY = 4;
/** Acknowledgements after which a run ends if it has not reached its fail point. */
const ACKNOWLEDGED_MAX = 80;

interface SyncAnswer {
  readonly code: number;
  readonly log: string;
}
interface CommitAnswer {
  readonly height: string;
  readonly check_tx: { readonly code?: number };
  readonly tx_result: { readonly code?: number; readonly log?: string };
}

export class KillRounds {
  readonly home = temporaryFolder();
  readonly #next = Array.from({ length: SENDERS + 1 }, () => 0n);
  /** Last broadcast of each account with an unknown outcome. */
  readonly #unknown = new Map<number, Signed>();
  /** Acknowledged transactions that no check has found in a block yet. */
  readonly #acknowledged = new Map<string, Signed>();
  /** Heights of transactions that the node reported to their senders. */
  readonly #promisedHeights = new Map<string, number>();
  readonly #shown = new Map<number, string>();
  /** Height of each transaction, in chain order. */
  readonly #committed = new Map<string, number>();
  readonly #txs = new ResumingSubscriber("tm.event='Tx'", /"tx\.hash":\["([0-9A-F]{64})"\]/);
  readonly #blocks = new ResumingSubscriber("tm.event='NewBlock'", /"header":\{[^{]*\{[^}]*\}[^}]*?"height":"(\d+)"/);
  #collected = 0;
  #verified = 0;
  acknowledged = 0;

  get height(): number {
    return this.#verified;
  }

  /**
   * Runs the node once. Returns true if the fail point ended it; the node is dead by SIGKILL in any case. Throws if a
   * promise is broken.
   */
  async live(death: Death): Promise<boolean> {
    const env = death.kind === 'fail point' ? { CHRONICLED_FAIL: `${death.name}:${death.nth}:kill` } : {};
    let daemon: DaemonProcess;
    try {
      daemon = await startDaemonProcess({ home: this.home, env });
    } catch (error) {
      if (error instanceof DaemonDied && error.exit.signal === 'SIGKILL') return death.kind === 'fail point';
      throw error;
    }
    let reached = death.kind === 'fail point';
    // Only a clean stop releases the lock.
    const stops = death.kind === 'fail point' && death.name === 'lock-released';
    try {
      await this.#check(daemon);
      await this.#load(daemon, death.kind === 'fail point' ? ACKNOWLEDGED_MAX : death.count, () => {
        reached = stops;
        void daemon.kill(stops ? 'SIGTERM' : 'SIGKILL');
      });
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
    const exit = await daemon.exited;
    if (exit.signal !== 'SIGKILL')
      throw new Error(`the node ended by itself, ${JSON.stringify(exit)}: ${daemon.stderr()}`);
    return reached;
  }

  /**
   * Runs the node with a file size limit of so many KiB, and loads it until it exits by itself. Resolves with its
   * exit and the errors of clients, whose requests have an unknown outcome.
   */
  async fillDisk(
    kib: number,
  ): Promise<{ readonly exit: Exit; readonly stderr: string; readonly errors: readonly string[] }> {
    const launch = ['bash', '-c', `ulimit -f ${kib}; exec "$0" "$@"`, process.execPath];
    const daemon = await startDaemonProcess({ home: this.home, launch });
    await this.#check(daemon);
    const errors: string[] = [];
    const sender = async (account: number): Promise<void> => {
      try {
        for (;;) await this.#admit(daemon, this.#sign(account));
      } catch (error) {
        if (!isConnectionLost(error)) errors.push(String(error));
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, account) => sender(account)));
    return { exit: await daemon.exited, stderr: daemon.stderr(), errors };
  }

  /** Last start: checks the home, stops the node cleanly and removes the home. */
  async finish(): Promise<void> {
    const daemon = await startDaemonProcess({ home: this.home });
    await this.#check(daemon);
    this.#txs.close();
    this.#blocks.close();
    const exit = await daemon.kill('SIGTERM');
    if (exit.code !== 0) throw new Error(`stopped with ${JSON.stringify(exit)}: ${daemon.stderr()}`);
    removeFolder(this.home);
  }

  /**
   * Throws unless everything acknowledged and published is present exactly once, and the chain verifies from outside.
   */
  async #check(daemon: DaemonProcess): Promise<void> {
    const { comet } = daemon.endpoints;
    this.#txs.connect(comet);
    this.#blocks.connect(comet);
    for (const [height, before] of this.#shown) {
      same(`block ${height}`, await shownAt(comet, height), before);
      this.#shown.delete(height);
    }
    for (const [account, again] of this.#unknown) {
      await this.#settle(comet, again);
      this.#unknown.delete(account);
    }
    // Admission is first come, first served: when this transaction is committed, all earlier ones are.
    const last = this.#sign(CHECKER);
    const { height } = await this.#commit(comet, last);
    const through = Number(height);
    await this.#collect(daemon, through);
    for (const [hash, { account, sequence }] of this.#acknowledged) {
      if (!this.#committed.has(hash))
        throw new Error(`acknowledged transaction ${hash} (account ${account}, sequence ${sequence}) is lost`);
    }
    await this.#checkReceipts(daemon);
    this.#acknowledged.clear();
    for (const [hash, promised] of this.#promisedHeights) {
      if (this.#committed.get(hash) !== promised)
        throw new Error(
          `transaction ${hash} was acknowledged in block ${promised}, and is in ${this.#committed.get(hash)}`,
        );
    }
    this.#promisedHeights.clear();
    const from = Math.max(1, this.#verified);
    const { headers } = await verifyChain((route) => getJson(comet, route), from, through);
    if (headers !== through - from + 1) throw new Error(`${headers} headers from ${from} to ${through}`);
    this.#verified = through;
    const expected = [...this.#committed].filter(([, at]) => at <= through).map(([hash]) => hash);
    same(
      'transactions of the resumed subscription',
      beginning(await this.#txs.through(last.hash), expected.length),
      expected.join(),
    );
    const heights = Array.from({ length: through }, (_, index) => String(index + 1));
    same('heights of the resumed subscription', beginning(await this.#blocks.through(height), through), heights.join());
  }

  /**
   * Starts six senders and a reader. `end` is called once, after so many acknowledgements. Returns when the
   * connection is lost.
   */
  async #load(daemon: DaemonProcess, acknowledgements: number, end: () => void): Promise<void> {
    const { comet } = daemon.endpoints;
    let left = acknowledgements;
    let over = false;
    void daemon.exited.then(() => {
      over = true;
    });
    const sender = async (account: number): Promise<void> => {
      while (!over) {
        const next = this.#sign(account);
        if (next.sequence % BigInt(COMMIT_EVERY) === BigInt(account % COMMIT_EVERY)) await this.#commit(comet, next);
        else await this.#admit(daemon, next);
        left -= 1;
        if (left === 0) {
          over = true;
          end();
        }
      }
    };
    // Reads as soon as a block is announced, possibly before anything of it is acknowledged, and again at the next
    // one.
    const watcher = async (): Promise<void> => {
      while (!over) {
        const told = this.#blocks.told();
        const height = await latestHeight(comet);
        for (const seen of [height - 1, height]) {
          if (seen < 1 || (seen < height && !this.#shown.has(seen))) continue;
          const shown = await shownAt(comet, seen);
          const before = this.#shown.get(seen);
          if (before !== undefined) same(`block ${seen}`, shown, before);
          this.#shown.set(seen, shown);
        }
        await Promise.race([told, daemon.exited]);
      }
    };
    const ends = await Promise.allSettled([
      ...Array.from({ length: SENDERS }, (_, account) => sender(account)),
      watcher(),
    ]);
    for (const result of ends)
      if (result.status === 'rejected' && !isConnectionLost(result.reason)) throw result.reason;
  }

  /** Sends each kind of transaction by the protocol of its clients. */
  async #admit({ endpoints: { comet, eth_http: ethereum } }: DaemonProcess, next: Signed): Promise<void> {
    if (next.ethereum !== undefined && ethereum !== undefined) {
      same(
        'hash of an Ethereum transaction',
        await callEthereum<string>(ethereum, 'eth_sendRawTransaction', [next.ethereum.raw]),
        next.ethereum.hash,
      );
      this.#acknowledge(next);
      return;
    }
    const { code, log } = await call<SyncAnswer>(comet, 'broadcast_tx_sync', { tx: next.tx });
    if (code !== 0)
      throw new Error(`broadcast_tx_sync refused account ${next.account}, sequence ${next.sequence}: ${log}`);
    this.#acknowledge(next);
  }

  async #commit(comet: string, next: Signed): Promise<CommitAnswer> {
    const answer = await call<CommitAnswer>(comet, 'broadcast_tx_commit', { tx: next.tx });
    const { check_tx: checked, tx_result: result, height } = answer;
    if ((checked.code ?? 0) !== 0 || (result.code ?? 0) !== 0)
      throw new Error(
        `broadcast_tx_commit refused account ${next.account}, sequence ${next.sequence}: ${JSON.stringify(answer)}`,
      );
    this.#acknowledge(next);
    this.#promisedHeights.set(next.hash, Number(height));
    return answer;
  }

  #acknowledge(signed: Signed): void {
    this.#unknown.delete(signed.account);
    this.#acknowledged.set(signed.hash, signed);
    this.acknowledged += 1;
  }

  /** Sends a transaction with an unknown outcome again: it is new, pending, or committed. */
  async #settle(comet: string, again: Signed): Promise<void> {
    try {
      const { code, log } = await call<SyncAnswer>(comet, 'broadcast_tx_sync', { tx: again.tx });
      if (code !== 0 && !/account sequence mismatch, expected \d+, got|nonce too low/.test(log)) throw new Error(log);
    } catch (error) {
      if (!String(error).includes('tx already exists in cache')) throw error;
    }
    this.#acknowledged.set(again.hash, again);
  }

  /** Checks that a transaction with a receipt shown to Ethereum clients is still in the same block. */
  async #checkReceipts({ endpoints: { eth_http: ethereum } }: DaemonProcess): Promise<void> {
    if (ethereum === undefined) throw new Error('the node has no Ethereum face');
    for (const { hash, ethereum: names } of this.#acknowledged.values()) {
      if (names === undefined) continue;
      const receipt = await callEthereum<{
        readonly status: string;
        readonly blockNumber: string;
        readonly transactionHash: string;
      } | null>(ethereum, 'eth_getTransactionReceipt', [names.hash]);
      same(
        `receipt of ${names.hash}`,
        `${receipt?.transactionHash} ${receipt?.status} in ${Number(receipt?.blockNumber)}`,
        `${names.hash} 0x1 in ${this.#committed.get(hash)}`,
      );
    }
  }

  async #collect({ endpoints: { comet } }: DaemonProcess, through: number): Promise<void> {
    while (this.#collected < through) {
      const height = this.#collected + 1;
      const { block } = await call<{ readonly block: { readonly data: { readonly txs: readonly string[] } } }>(
        comet,
        'block',
        { height: String(height) },
      );
      const { txs_results: results } = await call<{
        readonly txs_results: readonly { readonly code: number; readonly log: string }[] | null;
      }>(comet, 'block_results', { height: String(height) });
      for (const [index, tx] of block.data.txs.entries()) {
        const hash = createHash('sha256').update(Buffer.from(tx, 'base64')).digest('hex').toUpperCase();
        const before = this.#committed.get(hash);
        if (before !== undefined) throw new Error(`transaction ${hash} is in blocks ${before} and ${height}`);
        if (results?.[index]?.code !== 0)
          throw new Error(`transaction ${hash} failed in block ${height}: ${results?.[index]?.log}`);
        this.#committed.set(hash, height);
      }
      this.#collected = height;
    }
  }

  /** The next transaction of an account, with an unknown outcome until the node answers. */
  #sign(account: number): Signed {
    const sequence = this.#next[account] ?? 0n;
    this.#next[account] = sequence + 1n;
    const signed = signedEither(account, sequence);
    this.#unknown.set(account, signed);
    return signed;
  }
}

/** True for the error of fetch when the node's process is gone. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');
}

/** Block, hash, app hash and results of a height, as the node answers them. */
async function shownAt(comet: string, height: number): Promise<string> {
  const shown = [
    await call(comet, 'block', { height: String(height) }),
    await call(comet, 'block_results', { height: String(height) }),
  ];
  return JSON.stringify(shown);
}

function beginning(items: readonly string[], count: number): string {
  return items.slice(0, count).join();
}

function same(what: string, now: string, before: string): void {
  if (now !== before) throw new Error(`${what} changed from ${before} to ${now}`);
}
