/**
 * A minimal application for pool tests, with nonces and balances only. A transaction is JSON and costs its price.
 */
import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import type { Checks } from '../../../src/core/mempool/checks.js';
import type { PoolTransaction } from '../../../src/core/mempool/pool-transaction.js';
import type { PoolLimits } from '../../../src/core/mempool/transaction-pool.js';
import { ResponseCheckTxSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';

export const LIMITS: PoolLimits = {
  mempoolTxs: 60,
  mempoolBytes: 100_000,
  txBytes: 1_000,
  mempoolCache: 1_000,
  mempoolTxsPerAccount: 50,
  mempoolQueued: 20,
  mempoolQueuedPerAccount: 10,
};
export const NONCE_LOW = 4;
export const NONCE_WRONG = 3;
const UNFUNDED = 5;
const UNDERPRICED = 13;

export interface Wanted {
  readonly kind: PoolTransaction['kind'];
  readonly account: string;
  readonly nonce: number;
  readonly price: number;
}

export class NonceChain {
  readonly nonces = new Map<string, number>();
  readonly balances = new Map<string, number>();
  /** Minimum price; tests change it between blocks, like a base fee. */
  floor = 0;

  createChecks(): Checks {
    const spent = new Map<string, { nonce: number; spent: number }>();
    const of = (account: string): { nonce: number; spent: number } =>
      spent.get(account) ?? { nonce: this.nonces.get(account) ?? 0, spent: 0 };
    const checkTx: Checks['checkTx'] = (tx) => {
      const { account, nonce, price } = read(tx);
      const state = of(account);
      if (nonce !== state.nonce)
        return create(ResponseCheckTxSchema, { code: nonce < state.nonce ? NONCE_LOW : NONCE_WRONG });
      if (price < this.floor) return create(ResponseCheckTxSchema, { code: UNDERPRICED });
      if (state.spent + price > (this.balances.get(account) ?? 1_000))
        return create(ResponseCheckTxSchema, { code: UNFUNDED });
      spent.set(account, { nonce: nonce + 1, spent: state.spent + price });
      return create(ResponseCheckTxSchema, {});
    };
    return {
      describe: (tx) => {
        const { kind, account, nonce, price } = read(tx);
        return {
          tx,
          kind,
          accounts: [{ address: account, nonce: BigInt(nonce) }],
          gasWanted: 1n,
          feeCap: BigInt(price),
          tipCap: BigInt(price),
        };
      },
      checkTx,
      checkQueued: (tx) => create(ResponseCheckTxSchema, { code: read(tx).price > 1_000 ? UNFUNDED : 0 }),
      recheck: (sender, txs) =>
        txs.map((tx) => {
          expect(read(tx).account).toBe(sender);
          return checkTx(tx, 'signatures').code === 0;
        }),
      nextNonce: (address) => BigInt(of(address).nonce),
      reset: () => spent.clear(),
    };
  }

  commit(txs: readonly Uint8Array[]): void {
    for (const tx of txs) {
      const { account, nonce } = read(tx);
      expect(nonce).toBe(this.nonces.get(account) ?? 0);
      this.nonces.set(account, nonce + 1);
    }
  }
}

export const read = (tx: Uint8Array): Wanted => JSON.parse(new TextDecoder().decode(tx));
export const write = (wanted: Wanted): Uint8Array => new TextEncoder().encode(JSON.stringify(wanted));
export const sha256 = (data: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(data).digest());
export const hashOf = (tx: Uint8Array): string => Buffer.from(sha256(tx)).toString('hex').toUpperCase();
export const ethereum = (account: string, nonce: number, price = 10): Uint8Array =>
  write({ kind: 'ethereum', account, nonce, price });
export const cosmos = (account: string, nonce: number, price = 10): Uint8Array =>
  write({ kind: 'cosmos', account, nonce, price });
