/** A running chain: performs actions on it, and reads the facts that it published by queries. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { array, constant, constantFrom, oneof, record, type Arbitrary, type WeightedArbitrary } from 'fast-check';
import { isObject } from '../../core/text/json-object.js';
import { BrokenPromise, type Entry, type History } from '../model.js';
import {
  plainHash,
  topicOf,
  type ChainFact,
  type ChainLog,
  type ChainTransaction,
  type Emitters,
  type RemovedLog,
} from './facts.js';
import { RpcError, type Rpc } from './wire.js';

/** An action on a running chain. */
export type ChainAction =
  /** A transaction that emits a log for each topic. */
  | { readonly do: 'emit'; readonly contract: 0 | 1; readonly topics: readonly number[] }
  /** `send`: a transfer. `wait`: for a block that the chain makes by itself. `revert`: back to the last snapshot. */
  | { readonly do: 'send' | 'mine' | 'wait' | 'snapshot' | 'revert' | 'restart' };

/** Capabilities of a chain that a run may use. */
export interface Powers {
  /** The chain signs transactions for unlocked accounts, and mines on demand. */
  readonly canSend: boolean;
  readonly canRevert: boolean;
  readonly canRestart: boolean;
}

/** Arbitrary actions on a chain, by the powers that its target has. */
export function chainActions({ canSend, canRevert, canRestart }: Powers): Arbitrary<ChainAction> {
  const choices: WeightedArbitrary<ChainAction>[] = [];
  const topics = array(constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 });
  if (canSend) {
    choices.push({ weight: 4, arbitrary: record({ do: constant('emit'), contract: constantFrom(0, 1), topics }) });
    choices.push({ weight: 4, arbitrary: record({ do: constantFrom('send', 'mine') }) });
  } else choices.push({ weight: 1, arbitrary: constant({ do: 'wait' }) });
  if (canRevert) choices.push({ weight: 1, arbitrary: record({ do: constantFrom('snapshot', 'revert') }) });
  if (canRestart) choices.push({ weight: 1, arbitrary: constant({ do: 'restart' }) });
  return oneof(...choices);
}

/** Connections to the faces of a chain; either may be missing. */
export interface Faces {
  readonly ethereum: Rpc | undefined;
  readonly consensus: Rpc | undefined;
}

/** Creation code of a contract that emits a log for each 32 bytes of its input, with these as topic (`LOG1`). */
const EMITTER = '0x601980600b6000396000f360005b80361115601757803560006000a1602001600256' + '5b00';
const EMIT_GAS = '0x30d40';
/** Pause between two polls of a chain that makes blocks by itself, in milliseconds. */
const LOOK_AGAIN_MS = 2;
/** Longest wait in milliseconds for the block of a transaction on a chain with instant mining. */
const MINED_MS = 1_000;
/** Largest number of new blocks that one read accepts. */
const MAXIMUM_BLOCKS = 1_000;

export class LiveChain {
  #entries: Entry<ChainFact>[] = [];
  #height = 0;
  #snapshot: { readonly id: unknown; readonly height: number } | undefined;

  constructor(
    private faces: Faces,
    private readonly patienceMs: number,
    private readonly contracts: Contracts | undefined,
  ) {}

  /** Begins a run: forgets the facts so far. */
  async begin(): Promise<void> {
    this.#height = await headOf(this.faces);
    this.#entries = [];
    this.#snapshot = undefined;
  }

  /** Continues with the same chain after a restart of its node. */
  reconnect(faces: Faces): void {
    this.faces = faces;
    // The node keeps reverted blocks only in memory.
    const { length: abandonedAt } = this.#entries;
    this.#entries = this.#entries.map((entry) => (entry.isRevert === true ? { abandonedAt, ...entry } : entry));
  }

  async history(): Promise<History<ChainFact>> {
    const head = await headOf(this.faces);
    if (head - this.#height > MAXIMUM_BLOCKS)
      throw new BrokenPromise('readable', `the head went from ${this.#height} to ${head} at once`);
    while (this.#height < head) {
      const fact = await this.#block(this.#height + 1);
      this.#height += 1;
      this.#entries.push({ fact });
    }
    return this.#entries;
  }

  /** Performs an action other than `restart`, which belongs to the target. */
  async perform(action: ChainAction): Promise<void> {
    const { ethereum } = this.faces;
    if (action.do === 'wait') return await this.#next();
    if (ethereum === undefined) throw new Error('this chain can only be watched');
    switch (action.do) {
      case 'send':
        return await this.#send({ to: topicOf(7).slice(0, 42), value: '0x1' });
      case 'emit': {
        const data = action.topics.map((topic) => topicOf(topic).slice(2)).join('');
        return await this.#send({ to: this.contracts?.emitters[action.contract], data: `0x${data}`, gas: EMIT_GAS });
      }
      case 'mine':
        await ethereum.call('evm_mine', []);
        return;
      case 'snapshot':
        this.#snapshot = { height: await headOf(this.faces), id: await ethereum.call('evm_snapshot', []) };
        return;
      case 'revert':
        return await this.#revert(ethereum);
      case 'restart':
    }
  }

  async #send(transaction: Readonly<Record<string, unknown>>): Promise<void> {
    const { ethereum } = this.faces;
    const before = (await this.history()).length;
    if (ethereum === undefined) return;
    const hash = await ethereum.call('eth_sendTransaction', [{ from: await accountOf(ethereum), ...transaction }]);
    // The pending transaction is published before its block, which may be in the entries already.
    this.#entries.splice(before, 0, { fact: { kind: 'pending', hash: plainHash(hash) } });
    if (this.contracts?.isMinedAtOnce === true)
      await this.#until(async () => (await receiptOf(ethereum, hash)) !== null);
  }

  async #revert(ethereum: Rpc): Promise<void> {
    if (this.#snapshot === undefined) return;
    const { id, height } = this.#snapshot;
    this.#snapshot = undefined;
    const { length: abandonedAt } = await this.history();
    if ((await ethereum.call('evm_revert', [id])) !== true) throw new Error('evm_revert: false');
    this.#entries = this.#entries.map((entry) =>
      entry.fact.kind === 'block' && entry.fact.height > height ? { abandonedAt, ...entry } : entry,
    );
    this.#height = height;
    this.#entries.push({ fact: { kind: 'reverted', logs: this.#removedLogs(abandonedAt) }, isRevert: true });
  }

  /** Logs of the blocks that a revert abandoned when the history had this length, newest first. */
  #removedLogs(abandonedAt: number): readonly RemovedLog[] {
    return this.#entries
      .flatMap(({ fact, abandonedAt: at }, of) =>
        fact.kind === 'block' && at === abandonedAt
          ? fact.logs.map((log) => ({ ...log, blockHash: fact.ethereumHash, of }))
          : [],
      )
      .toReversed();
  }

  async #next(): Promise<void> {
    const before = await headOf(this.faces);
    await this.#until(async () => (await headOf(this.faces)) !== before);
  }

  async #until(isShown: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + this.patienceMs;
    while (!(await isShown())) {
      if (Date.now() > deadline) throw new BrokenPromise('answered', `no block within ${this.patienceMs} ms`);
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async #block(height: number): Promise<ChainFact> {
    const { ethereum, consensus } = this.faces;
    const [hash, logs] = ethereum === undefined ? [undefined, []] : await ethereumBlock(ethereum, height);
    const [other, transactions] = consensus === undefined ? [undefined, []] : await consensusBlock(consensus, height);
    return { kind: 'block', height, ethereumHash: hash ?? '', hash: other ?? '', logs, transactions };
  }
}

/** The contracts that the runs of a target call. */
export interface Contracts {
  readonly emitters: Emitters;
  /** The chain makes a block as soon as a transaction is pending. */
  readonly isMinedAtOnce: boolean;
}

/** Deploys both contracts from an unlocked account; undefined without one. */
export async function deployEmitters(ethereum: Rpc): Promise<Contracts | undefined> {
  const from = await accountOf(ethereum);
  if (from === undefined) return undefined;
  let isMinedAtOnce = true;
  const deploy = async (): Promise<string> => {
    const hash = await ethereum.call('eth_sendTransaction', [{ from, data: EMITTER, gas: EMIT_GAS }]);
    const deadline = Date.now() + MINED_MS;
    for (;;) {
      const receipt = await receiptOf(ethereum, hash);
      if (isObject(receipt)) return String(receipt['contractAddress']).toLowerCase();
      await sleep(LOOK_AGAIN_MS);
      if (isMinedAtOnce && Date.now() < deadline) continue;
      isMinedAtOnce = false;
      await ethereum.call('evm_mine', []);
    }
  };
  return { emitters: [await deploy(), await deploy()], isMinedAtOnce };
}

function receiptOf(ethereum: Rpc, hash: unknown): Promise<unknown> {
  return ethereum.call('eth_getTransactionReceipt', [hash]);
}

/** The first unlocked account; undefined where there is none, or the method is unknown. */
async function accountOf(ethereum: Rpc): Promise<unknown> {
  try {
    const [account]: readonly unknown[] = listOf(await ethereum.call('eth_accounts', []));
    return account;
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

async function headOf({ ethereum, consensus }: Faces): Promise<number> {
  const status = ethereum === undefined ? await consensus?.call('status', {}) : undefined;
  const head =
    ethereum === undefined
      ? memberOf(memberOf(status, 'sync_info'), 'latest_block_height')
      : await ethereum.call('eth_blockNumber', []);
  const height = Number(head);
  if (head === null || !Number.isSafeInteger(height) || height < 0)
    throw new BrokenPromise('readable', `the height of the head is ${JSON.stringify(head)}`);
  return height;
}

async function ethereumBlock(ethereum: Rpc, height: number): Promise<readonly [string, readonly ChainLog[]]> {
  const number = `0x${height.toString(16)}`;
  const block = await ethereum.call('eth_getBlockByNumber', [number, false]);
  const logs = await ethereum.call('eth_getLogs', [{ fromBlock: number, toBlock: number }]);
  return [
    plainHash(memberOf(block, 'hash')),
    listOf(logs).map((log) => ({
      index: Number(memberOf(log, 'logIndex')),
      address: String(memberOf(log, 'address')).toLowerCase(),
      topics: listOf(memberOf(log, 'topics')).map(String),
    })),
  ];
}

async function consensusBlock(consensus: Rpc, height: number): Promise<readonly [string, readonly ChainTransaction[]]> {
  const at = { height: String(height) };
  const [block, results] = [await consensus.call('block', at), await consensus.call('block_results', at)];
  const outcomes = listOf(memberOf(results, 'txs_results'));
  const texts = listOf(memberOf(memberOf(memberOf(block, 'block'), 'data'), 'txs'));
  return [
    plainHash(memberOf(memberOf(block, 'block_id'), 'hash')),
    texts.map((text, index) => ({
      hash: createHash('sha256')
        .update(Buffer.from(String(text), 'base64'))
        .digest('hex')
        .toUpperCase(),
      attributes: attributesOf(listOf(memberOf(outcomes[index], 'events'))),
    })),
  ];
}

function attributesOf(events: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const attributes = new Map<string, string[]>();
  for (const event of events) {
    for (const attribute of listOf(memberOf(event, 'attributes'))) {
      const name = `${String(memberOf(event, 'type'))}.${String(memberOf(attribute, 'key'))}`;
      attributes.set(name, [...(attributes.get(name) ?? []), String(memberOf(attribute, 'value'))]);
    }
  }
  return attributes;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
