/**
 * The application state as the engine reads it: balances from bank, nonces from auth, code and storage from `evm`.
 */
import { be64 } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import { invariant } from '../../errors.js';
import { impersonatedSigner } from '../../sdk/module/development-chain.js';
import type { EvmState } from '../../evm/state.js';
import { type Account, getAccount } from '../auth/accounts.js';
import { blockRules } from './block-rules.js';
import { spendableBalanceOf } from './coins.js';
import { getCode, getCodeHash, getParams, getStorage, isEmptyCodeHash } from './store.js';

/** Contract with the hashes of old blocks (EIP-2935). */
export const HISTORY_ADDRESS = Uint8Array.of(
  0x00,
  0x00,
  0xf9,
  0x08,
  0x27,
  0xf1,
  0xc5,
  0x3a,
  0x10,
  0xcb,
  0x7a,
  0x02,
  0x33,
  0x5b,
  0x17,
  0x53,
  0x20,
  0x00,
  0x29,
  0x35,
);
const DEFAULT_HISTORY_WINDOW = 8192n;

/**
 * Creates the engine's state. Reads are unmetered, because the EVM counts its own gas. `context.store` must be the
 * store of the running transaction. `calls`: precompile calls of the same execution.
 */
export function evmState(context: Context, calls?: { restarted(): void }): EvmState {
  return {
    account: (address) => {
      const account = getAccount(context, address);
      return accountWith(context, address, account?.base.sequence ?? 0n, account);
    },
    code: (hash) => {
      const code = getCode(context, hash);
      invariant(code !== undefined, 'an account names code that is not in the store');
      return code;
    },
    storage: (address, slot) => getStorage(context, address, slot),
    blockHash: (number) => getStorage(context, HISTORY_ADDRESS, historySlot(context, number)) ?? new Uint8Array(32),
    impersonatedSigner: (signature, parity) => impersonatedSigner(context, signature, parity),
    noBlobBaseFee: blockRules.of(context).noBlobBaseFee,
    restarted: () => calls?.restarted(),
  };
}

/** Slot of a block's hash in the history contract: 32 bytes, the height modulo the window. */
export function historySlot(context: Context, height: bigint): Uint8Array {
  const { historyServeWindow } = getParams(context);
  const slot = new Uint8Array(32);
  slot.set(be64(height % (historyServeWindow > 0n ? historyServeWindow : DEFAULT_HISTORY_WINDOW)), 24);
  return slot;
}

/** EVM view of an account that was read; undefined when nothing of it is locked. */
export function accountWith(
  context: Context,
  address: Uint8Array,
  nonce: bigint,
  account: Account | undefined,
): ReturnType<EvmState['account']> {
  const balance = spendableBalanceOf(context, account, address);
  // Vesting changes the balance without a write, so the engine must not cache it beyond its block.
  if (account?.kind === 'vesting') context.evm?.forgetAfterBlock(address);
  const codeHash = getCodeHash(context, address);
  // EIP-161: an empty account does not exist, even if it has other coins; the engine's cache agrees after a touch.
  if (nonce === 0n && balance === 0n && isEmptyCodeHash(codeHash)) return undefined;
  return { balance, nonce, codeHash };
}
