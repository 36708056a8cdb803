import { encodeAddress } from '../../core/sdk/address.js';
import type { ChainConfig } from '../../core/sdk/chain-config.js';
import type { EthereumAccountEdit } from '../../core/ethereum/api.js';
import { setAccountTx } from '../../core/modules/dev/set-account.js';
import { setBalanceTx } from '../../core/modules/dev/set-balance.js';
import { getSequence } from '../../core/modules/dev/store.js';
import type { NodeApi, Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { StateReader } from '../../core/state/state.js';
import type { Ledger } from '../chain/ledger.js';
import { betweenBlocks, DONE, mineBlock, refused, type BlockProducer } from './mine.js';

export interface DevTransactionOptions {
  readonly chain: Pick<ChainConfig, 'bech32Prefix' | 'baseDenom'>;
  readonly crypto: Pick<Crypto, 'sha256'>;
  /** The state after the head. */
  readonly latest: Pick<StateReader, 'get'>;
  readonly broadcast: NodeApi['commands']['broadcastTx'];
  readonly ledger: Pick<Ledger, 'tx'>;
  readonly consensus: BlockProducer;
}

/**
 * Number of blocks by which a transaction that comes first must be included: the block in flight at its admission, and
 * the next one.
 */
const ATTEMPTS = 3;

/** Sets a balance of the base denom. */
export function setBalance(
  options: DevTransactionOptions,
  address: Uint8Array,
  balance: bigint,
): Promise<Outcome<undefined>> {
  const { chain, latest } = options;
  return inBlock(
    options,
    setBalanceTx({
      address: encodeAddress(chain.bech32Prefix, address),
      denom: chain.baseDenom,
      amount: balance.toString(),
      sequence: getSequence(latest),
    }),
  );
}

/** Sets nonce, code or slots of an account. */
export function setAccount(
  options: DevTransactionOptions,
  address: Uint8Array,
  edit: EthereumAccountEdit,
): Promise<Outcome<undefined>> {
  const { chain, latest } = options;
  return inBlock(
    options,
    setAccountTx({ address: encodeAddress(chain.bech32Prefix, address), sequence: getSequence(latest) }, edit),
  );
}

/** Sends a transaction and makes a block with it at once; resolves when the block is published. */
async function inBlock(options: DevTransactionOptions, tx: Uint8Array): Promise<Outcome<undefined>> {
  const { crypto, ledger, consensus } = options;
  const admitted = await options.broadcast(tx);
  if (!admitted.ok) return admitted;
  if (admitted.value.code !== 0) return refused(admitted.value.log);
  const hash = crypto.sha256(tx);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // In a mining mode that makes blocks for transactions, a block with it may already be in flight.
    const found = await betweenBlocks(consensus, () => ({ ok: true, value: ledger.tx(hash)?.result }));
    if (!found.ok) return found;
    if (found.value !== undefined) return found.value.code === 0 ? DONE : refused(found.value.log);
    const mined = await mineBlock(consensus);
    if (!mined.ok) return mined;
  }
  const last = ledger.tx(hash)?.result;
  if (last === undefined) return { ok: false, error: { code: 'busy', what: 'block production' } };
  return last.code === 0 ? DONE : refused(last.log);
}
