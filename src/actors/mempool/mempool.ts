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

/** Read access to the mempool; always reflects the current actor instance. */
export interface MempoolView {
  /** Logged transactions that are pending or queued, in order of admission. */
  entries(place: PoolPlace): readonly PoolTransaction[];
  /** A logged transaction in the pool, by its uppercase hex hash or its Ethereum hash. */
  get(hash: string): PoolTransaction | undefined;
  /** Next nonce of an account, counting pending transactions. `address`: lower-case hex. */
  nextNonce(address: string): bigint;
  /** Transactions for the next block, within `room`; all of them pass CheckTx on the head's state. */
  reap(room: BlockRoom): readonly PoolTransaction[];
  /** A different object after each change of the pool; for caching. */
  readonly content: object;
  /** Sum of the gas limits of pending transactions. */
  readonly pendingGas: bigint;
  /** True when exactly this transaction passed CheckTx in this process, so its signatures need no second check. */
  isChecked(hash: string): boolean;
  /** True when the next block may include the transaction: its nonce is due, and it pays the base fee. */
  isDue(hash: string): boolean;
  /** True when some transaction pays the next base fee. */
  hasIncludable(): boolean;
  /** Number of transactions that the next block may include. */
  readonly pending: number;
  /** Number of transactions that wait for a lower nonce. */
  readonly queued: number;
  readonly bytes: number;
}

/** Interface of the mempool to the rest of the node. */
export interface Mempool {
  readonly child: ChildSpec<'mempool'>;
  readonly view: MempoolView;
  /**
   * Admits a transaction if CheckTx accepts it; resolves when the admission is published. `verified`: the caller has
   * recovered the sender of the Ethereum transaction from its signature.
   */
  broadcast(tx: Uint8Array, verified?: 'sender'): Promise<Outcome<ResponseCheckTx>>;
  /** Called when the node stops: refuses waiting and further transactions with `error`. */
  end(error: DomainError): void;
}

/** Creates the mempool: actor, inbox and view. */
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
