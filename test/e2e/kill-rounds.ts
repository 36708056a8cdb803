/**
 * Rounds of load, death and restart on one home. What the node acknowledged or showed before it died is the model;
 * every restart is held against it.
 */
import { createHash } from 'node:crypto';
import { verifyChain } from '../comet/outside-verifier.js';
import { DaemonDied, type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { type Signed, signedSend } from './load.js';

/** Accounts that send under load; the one after them sends the transaction that the checks wait for. */
const SENDERS = 6;
/** Acknowledgements after which a round that nothing kills ends by itself. */
const ACKNOWLEDGED_MAX = 120;

interface SyncAnswer { readonly code: number; readonly log: string; readonly hash: string }

export class KillRounds {
  readonly home = temporaryFolder();
  readonly #next = Array.from({ length: SENDERS + 1 }, () => 0n);
  /** Answer of the last broadcast of each sender is not known. */
  readonly #unknown = new Map<number, Signed>();
  readonly #acknowledged = new Map<string, Signed>();
  readonly #shown = new Map<number, string>();
  readonly #committed = new Map<string, number>();
  #checked = 0;
  acknowledged = 0;

  get height(): number {
    return this.#checked;
  }

  /** Starts the daemon, loads it and kills it after `acknowledgements` of this round; resolves when it is dead. */
  async killUnderLoad(acknowledgements: number): Promise<void> {
    const daemon = await startDaemonProcess({ home: this.home });
    await this.#load(daemon, acknowledgements, () => void daemon.kill('SIGKILL'));
    await daemon.exited;
  }

  /** Starts the daemon with a fail point and loads it; a process that reaches the end is stopped. True when the point killed it. */
  async killAtFailPoint(name: string, nth: number): Promise<boolean> {
    try {
      const daemon = await startDaemonProcess({ home: this.home, env: { CHRONICLED_FAIL: `${name}:${nth}:kill` } });
      await this.#load(daemon, ACKNOWLEDGED_MAX, () => void daemon.kill('SIGTERM'));
      return (await daemon.exited).signal === 'SIGKILL';
    } catch (error) {
      if (error instanceof DaemonDied && error.exit.signal === 'SIGKILL') return true;
      throw error;
    }
  }

  /** Restarts and throws unless everything acknowledged and shown is there, once, and the chain verifies from outside. */
  async check(): Promise<void> {
    const daemon = await startDaemonProcess({ home: this.home });
    const { comet } = daemon.endpoints;
    for (const [height, before] of this.#shown) same(`block ${height}`, await shownAt(comet, height), before);
    this.#shown.clear();
    for (const again of this.#unknown.values()) await this.#settle(comet, again);
    this.#unknown.clear();
    // Admission is first come, first served: when this one is committed, all before it are.
    const last = signedSend(SENDERS, this.#take(SENDERS));
    const { height } = await call<{ readonly height: string; readonly tx_result: { readonly code?: number } }>(comet, 'broadcast_tx_commit', { tx: last.tx });
    this.#acknowledged.set(last.hash, last);
    const through = Number(height);
    await this.#collect(comet, through);
    for (const [hash, { account, sequence }] of this.#acknowledged) {
      if (!this.#committed.has(hash)) throw new Error(`acknowledged transaction ${hash} (account ${account}, sequence ${sequence}) is lost`);
    }
    this.#acknowledged.clear();
    const { headers } = await verifyChain((route) => getJson(comet, route), Math.max(1, this.#checked), through);
    if (headers !== through - Math.max(1, this.#checked) + 1) throw new Error(`${headers} headers`);
    this.#checked = through;
    const exit = await daemon.kill('SIGTERM');
    if (exit.code !== 0) throw new Error(`stopped with ${JSON.stringify(exit)}: ${daemon.stderr()}`);
  }

  remove(): void {
    removeFolder(this.home);
  }

  async #load(daemon: DaemonProcess, acknowledgements: number, end: () => void): Promise<void> {
    const { comet } = daemon.endpoints;
    let left = acknowledgements;
    let over = false;
    const finish = (): void => {
      if (!over) end();
      over = true;
    };
    void daemon.exited.then(() => {
      over = true;
    });
    const sender = async (account: number): Promise<void> => {
      while (!over) {
        const next = this.#unknown.get(account) ?? signedSend(account, this.#take(account));
        this.#unknown.set(account, next);
        const answer = await call<SyncAnswer>(comet, 'broadcast_tx_sync', { tx: next.tx });
        if (answer.code !== 0) throw new Refused(`broadcast_tx_sync refused account ${account}, sequence ${next.sequence}: ${answer.log}`);
        this.#unknown.delete(account);
        this.#acknowledged.set(next.hash, next);
        this.acknowledged += 1;
        left -= 1;
        if (left <= 0) finish();
      }
    };
    const watcher = async (): Promise<void> => {
      while (!over) {
        const height = await latestHeight(comet);
        if (height < 1) continue;
        const shown = await shownAt(comet, height);
        const before = this.#shown.get(height);
        if (before !== undefined) same(`block ${height}`, shown, before);
        this.#shown.set(height, shown);
      }
    };
    const ends = await Promise.allSettled([...Array.from({ length: SENDERS }, (_, account) => sender(account)), watcher()]);
    finish();
    for (const result of ends) if (result.status === 'rejected' && result.reason instanceof Refused) throw result.reason;
  }

  /** Sends again what got no answer: it is new, waits already, or was committed. */
  async #settle(comet: string, again: Signed): Promise<void> {
    try {
      const { code, log } = await call<SyncAnswer>(comet, 'broadcast_tx_sync', { tx: again.tx });
      if (code !== 0 && !/account sequence mismatch, expected (\d+), got/.test(log)) throw new Refused(log);
    } catch (error) {
      if (error instanceof Refused || !String(error).includes('tx already exists in cache')) throw error;
    }
    this.#acknowledged.set(again.hash, again);
  }

  async #collect(comet: string, through: number): Promise<void> {
    for (let height = this.#checked + 1; height <= through; height += 1) {
      const { block } = await call<{ readonly block: { readonly data: { readonly txs: readonly string[] } } }>(comet, 'block', { height: String(height) });
      const { txs_results: results } = await call<{ readonly txs_results: readonly { readonly code: number; readonly log: string }[] | null }>(
        comet, 'block_results', { height: String(height) },
      );
      for (const [index, tx] of block.data.txs.entries()) {
        const hash = createHash('sha256').update(Buffer.from(tx, 'base64')).digest('hex').toUpperCase();
        const before = this.#committed.get(hash);
        if (before !== undefined) throw new Error(`transaction ${hash} is in blocks ${before} and ${height}`);
        if (results?.[index]?.code !== 0) throw new Error(`transaction ${hash} failed in block ${height}: ${results?.[index]?.log}`);
        this.#committed.set(hash, height);
      }
    }
  }

  #take(account: number): bigint {
    const sequence = this.#next[account] ?? 0n;
    this.#next[account] = sequence + 1n;
    return sequence;
  }
}

class Refused extends Error {}

/** Block, hash, app hash and results of a height as the node shows them. */
async function shownAt(comet: string, height: number): Promise<string> {
  const shown = [await call(comet, 'block', { height: String(height) }), await call(comet, 'block_results', { height: String(height) })];
  return JSON.stringify(shown);
}

function same(what: string, now: string, before: string): void {
  if (now !== before) throw new Error(`${what} changed from ${before} to ${now}`);
}
