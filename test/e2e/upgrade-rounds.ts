/**
 * Upgrades of one home, with nodes that are killed before, at and after each halt. Each upgrade is checked: the plan
 * was applied once and at its height, every acknowledged transaction is in one block, and the chain verifies.
 */
import { createHash } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  QueryAppliedPlanRequestSchema,
  QueryAppliedPlanResponseSchema,
} from '../../src/core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { verifyChain } from '../core/comet/outside-verifier.js';
import { chronicledHere } from '../support/command-here.js';
import { DaemonDied, type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { anyOf } from '../support/sign-tx.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { ACCOUNTS, type Signed, signed, signedEither } from './load.js';

/** End of a run: after a number of answers to a reader, or at a fail point of the log. */
export type UpgradeDeath =
  | { readonly kind: 'answers'; readonly count: number }
  | { readonly kind: 'fail point'; readonly name: string; readonly nth: number };

/** Dev accounts that send under load. Only account 0, the upgrade authority, sends the plans. */
const SENDERS = [1, 2, 3] as const;
const AUTHORITY = ACCOUNTS[0]?.bech32 ?? '';
/** Answers after which a node without a plan is killed if it has not reached its fail point. */
const ANSWERS_MAX = 400;

export class UpgradeRounds {
  readonly home = temporaryFolder();
  readonly #next = new Map<number, bigint>();
  /** Last broadcast of each account that no node has acknowledged. */
  readonly #unknown = new Map<number, Signed>();
  readonly #acknowledged = new Set<string>();
  #version: string | undefined;
  #plans = 0n;
  #verified = 0;
  kills = 0;
  refusedResets = 0;

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Runs the old version until its halt, then the new one. Throws if a promise is broken. */
  async upgrade(
    name: string,
    before: readonly UpgradeDeath[],
    atHalt: readonly UpgradeDeath[],
    after: readonly UpgradeDeath[],
  ): Promise<void> {
    const halt = await this.#schedule(name, 2 + before.length * 2);
    for (const death of before) await this.#live(this.#version, death);
    for (const death of atHalt) await this.#dieAtHalt(death, halt);
    await this.#alive(this.#version, async (daemon) => {
      await reach(daemon, halt);
      await this.#refusesReset();
      await daemon.kill('SIGKILL');
    });
    this.kills += 1;
    this.#version = name;
    for (const death of after) await this.#live(name, death);
    await this.#check(name, halt);
  }

  remove(): void {
    removeFolder(this.home);
  }

  /** Schedules a plan so many blocks ahead, and kills the node when it acknowledges the plan. */
  async #schedule(name: string, ahead: number): Promise<number> {
    let halt = 0;
    await this.#alive(this.#version, async (daemon) => {
      const { comet } = daemon.endpoints;
      // The chain grows meanwhile. A plan for a past height is refused; the next try uses a later height.
      for (let distance = ahead, isTaken = false; !isTaken; distance *= 2) {
        halt = (await latestHeight(comet)) + distance;
        const plan = { name, height: BigInt(halt), info: '' };
        const { tx } = signed(0, this.#plans, [anyOf(MsgSoftwareUpgradeSchema, { authority: AUTHORITY, plan })]);
        this.#plans += 1n;
        const { code, log } = await committed(comet, tx);
        if (code !== 0 && !log.includes('upgrade cannot be scheduled in the past'))
          throw new Error(`the plan for ${halt} was refused: ${log}`);
        isTaken = code === 0;
      }
      await daemon.kill('SIGKILL');
    });
    this.kills += 1;
    return halt;
  }

  async #live(version: string | undefined, death: UpgradeDeath): Promise<void> {
    const env = death.kind === 'fail point' ? { CHRONICLED_FAIL: `${death.name}:${death.nth}:kill` } : {};
    await this.#alive(
      version,
      (daemon) => this.#load(daemon, death.kind === 'answers' ? death.count : ANSWERS_MAX),
      env,
    );
    this.kills += 1;
  }

  /** A run that ends at a fail point of the halt. */
  async #dieAtHalt(death: UpgradeDeath, halt: number): Promise<void> {
    if (death.kind !== 'fail point') return this.#live(this.#version, death);
    const env = { CHRONICLED_FAIL: `${death.name}:${death.nth}:kill` };
    await this.#alive(this.#version, (daemon) => reach(daemon, halt), env);
    this.kills += 1;
  }

  /** Starts the node and uses it until SIGKILL has ended it. */
  async #alive(
    version: string | undefined,
    use: (daemon: DaemonProcess) => Promise<void>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const args = ['--block-time', '0.05', ...(version === undefined ? [] : ['--app-version', version])];
    let daemon: DaemonProcess;
    try {
      daemon = await startDaemonProcess({ home: this.home, args, env });
    } catch (error) {
      if (error instanceof DaemonDied && error.exit.signal === 'SIGKILL') return;
      throw error;
    }
    try {
      await use(daemon);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
    const exit = await daemon.exited;
    if (exit.signal !== 'SIGKILL')
      throw new Error(`the node ended by itself, ${JSON.stringify(exit)}: ${daemon.stderr()}`);
  }

  /** Starts senders and a reader; the node is killed after so many answers to the reader. */
  async #load(daemon: DaemonProcess, answers: number): Promise<void> {
    const { comet } = daemon.endpoints;
    let over = false;
    void daemon.exited.then(() => {
      over = true;
    });
    const sender = async (account: number): Promise<void> => {
      while (!over) await this.#send(comet, account);
    };
    const reader = async (): Promise<void> => {
      for (let count = 0; count < answers; count += 1) await latestHeight(comet);
      over = true;
      await daemon.kill('SIGKILL');
    };
    const ends = await Promise.allSettled([...SENDERS.map(sender), reader()]);
    for (const result of ends)
      if (result.status === 'rejected' && !isConnectionLost(result.reason)) throw result.reason;
  }

  /**
   * Sends the transaction with an unknown outcome again, or the next one. A halted chain refuses it, with the reason.
   */
  async #send(comet: string, account: number): Promise<void> {
    const sequence = this.#next.get(account) ?? 0n;
    const again = this.#unknown.get(account);
    const next = again ?? signedEither(account, sequence);
    this.#unknown.set(account, next);
    try {
      const { code, log } = await call<{ readonly code: number; readonly log: string }>(comet, 'broadcast_tx_sync', {
        tx: next.tx,
      });
      if (code !== 0 && (again === undefined || !/account sequence mismatch|nonce too low/u.test(log)))
        throw new Error(`account ${account}, sequence ${next.sequence}: ${log}`);
    } catch (error) {
      if (/UPGRADE \\?"[^"]+" NEEDED at height/u.test(String(error))) return;
      if (again === undefined || !String(error).includes('tx already exists in cache')) throw error;
    }
    this.#unknown.delete(account);
    this.#next.set(account, next.sequence + 1n);
    this.#acknowledged.add(next.hash);
  }

  async #refusesReset(): Promise<void> {
    const { code, stderr } = await chronicledHere(['reset', '--home', this.home, '-y']);
    if (code !== 5) throw new Error(`reset of a running home ended with ${code}: ${stderr}`);
    this.refusedResets += 1;
  }

  async #check(name: string, halt: number): Promise<void> {
    await this.#alive(name, async (daemon) => {
      const { comet } = daemon.endpoints;
      for (const account of this.#unknown.keys()) await this.#send(comet, account);
      await reach(daemon, (await latestHeight(comet)) + 2);
      const applied = await appliedAt(comet, name);
      if (applied !== BigInt(halt)) throw new Error(`plan ${name} for ${halt} was applied at ${applied}`);
      const through = await latestHeight(comet);
      await this.#verify(comet, through);
      await daemon.kill('SIGKILL');
    });
    this.kills += 1;
  }

  async #verify(comet: string, through: number): Promise<void> {
    const heights = new Map<string, number>();
    for (let height = 1; height <= through; height += 1) {
      const { block } = await call<{ readonly block: { readonly data: { readonly txs: readonly string[] } } }>(
        comet,
        'block',
        { height: String(height) },
      );
      for (const tx of block.data.txs) {
        const hash = createHash('sha256').update(Buffer.from(tx, 'base64')).digest('hex').toUpperCase();
        if (heights.has(hash)) throw new Error(`transaction ${hash} is in ${heights.get(hash)} and ${height}`);
        heights.set(hash, height);
      }
    }
    for (const hash of this.#acknowledged)
      if (!heights.has(hash)) throw new Error(`acknowledged transaction ${hash} is lost`);
    const from = Math.max(1, this.#verified);
    const { headers } = await verifyChain((route) => getJson(comet, route), from, through);
    if (headers !== through - from + 1) throw new Error(`${headers} headers from ${from} to ${through}`);
    this.#verified = through;
  }
}

/** Resolves when the node serves the block of a height. The block of a plan is decided but not executed. */
async function reach(daemon: DaemonProcess, height: number): Promise<void> {
  for (;;) {
    const answer = await getJson(daemon.endpoints.comet, `/block?height=${height}`);
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return;
  }
}

async function committed(comet: string, tx: string): Promise<{ readonly code: number; readonly log: string }> {
  const answer = await call<{ readonly tx_result: { readonly code: number; readonly log: string } }>(
    comet,
    'broadcast_tx_commit',
    { tx },
  );
  return answer.tx_result;
}

async function appliedAt(comet: string, name: string): Promise<bigint> {
  const request = create(QueryAppliedPlanRequestSchema, { name });
  const data = Buffer.from(toBinary(QueryAppliedPlanRequestSchema, request)).toString('hex');
  const path = '/cosmos.upgrade.v1beta1.Query/AppliedPlan';
  const { response } = await call<{ readonly response: { readonly value: string | null } }>(comet, 'abci_query', {
    path,
    data,
  });
  return fromBinary(QueryAppliedPlanResponseSchema, Buffer.from(response.value ?? '', 'base64')).height;
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');
}
