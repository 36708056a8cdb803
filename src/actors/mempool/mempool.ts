import type { DomainError, Outcome } from '../../core/errors.js';
import type { BlockRoom } from '../../core/mempool/order.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import { RecentHashes } from '../../core/mempool/recent-hashes.js';
import type { PoolPlace } from '../../core/mempool/transaction-pool.js';
import type { ResponseCheckTx } from '../../core/proto/tendermint/abci/types_pb.js';
import type { ChildSpec } from '../shell/child.js';
import { Inbox } from '../shell/inbox.js';
import { mempoolLogic, type Broadcast } from './machine.js';
import { PoolModel } from './pool-model.js';
import type { MempoolPorts } from './ports.js';

export type { AdmissionMode, MempoolPorts, ModeChanged, AppendResult } from './ports.js';

/** The part of the mempool that others may read; it shows the present incarnation. */
export interface MempoolView {
  /** Transactions of one place that the log has, in order of admission. */
  entries(place: PoolPlace): readonly PoolTransaction[];
  /** A transaction that waits and that the log has, by its uppercase hex hash or its Ethereum hash. */
  get(hash: string): PoolTransaction | undefined;
  /**
   * Nonce that the next transaction of an account needs, when everything pending is counted. `address` is lower-case
   * hex.
   */
  nextNonce(address: string): bigint;
  /** Transactions for the next block, of which `room` is the most; all of them pass CheckTx after the head. */
  reap(room: BlockRoom): readonly PoolTransaction[];
  /** Another object after each change of what waits. */
  readonly content: object;
  /** Gas limits of the transactions that the next block may hold, together. */
  readonly pendingGas: bigint;
  /** True when this very transaction passed CheckTx here, so that its signatures need no second check. */
  isChecked(hash: string): boolean;
  /** True when the next block may hold the transaction with this hash: its nonce is due, and it pays the base fee. */
  isDue(hash: string): boolean;
  /** True when a block at the next base fee could hold something. */
  hasIncludable(): boolean;
  /** Transactions that the next block may hold. */
  readonly pending: number;
  /** Transactions that wait for a lower nonce. */
  readonly queued: number;
  readonly bytes: number;
}

/** The mempool as the rest of the node sees it. */
export interface Mempool {
  readonly child: ChildSpec<'mempool'>;
  readonly view: MempoolView;
  /**
   * Lets a transaction in when CheckTx accepts it; resolves when its admission has been shown. `verified`: the caller
   * recovered the sender that an Ethereum transaction names from its signature.
   */
  broadcast(tx: Uint8Array, verified?: 'sender'): Promise<Outcome<ResponseCheckTx>>;
  /** The node stops: what waits in the inbox, and what comes later, is refused with `error`. */
  end(error: DomainError): void;
}

/** Makes the mempool: its actor, its inbox, and the view that others read. */
export function createMempool(ports: MempoolPorts): Mempool {
  const inbox = new Inbox<Broadcast>({ name: 'transactions to check', maximum: ports.limits.actorInbox });
  const committed = new RecentHashes(ports.limits.mempoolCache);
  let model = new PoolModel(ports, committed);
  const logic = mempoolLogic(ports, () => (model = new PoolModel(ports, committed)));
  return {
    child: { id: 'mempool', logic, input: () => undefined, inbox },
    view: {
      entries: (place) => model.transactions.entries(place).filter(({ hash }) => model.isLogged(hash)),
      get(hash) {
        const found = model.transactions.get(hash);
        return found !== undefined && model.isLogged(found.hash) ? found : undefined;
      },
      nextNonce: (address) => model.pool.nextNonce(address),
      reap: (room) => model.pool.reap(room),
      get content() {
        return model.transactions.content;
      },
      get pendingGas() {
        return model.transactions.pendingGas;
      },
      isChecked: (hash) => model.transactions.has(hash),
      isDue: (hash) => model.pool.isDue(hash),
      hasIncludable: () => model.pool.hasIncludable(),
      get pending() {
        return model.transactions.pending;
      },
      get queued() {
        return model.transactions.queued;
      },
      get bytes() {
        return model.transactions.bytes;
      },
    },
    broadcast: (tx, verified) => inbox.ask<ResponseCheckTx>((reply) => ({ type: 'broadcast', tx, verified, reply })),
    end: (error) => inbox.end(error),
  };
}
