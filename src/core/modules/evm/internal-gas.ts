/**
 * Gas of store accesses in a call by a module, counted as the peer makes them (cosmos/evm v0.6
 * `x/vm/keeper/config.go`, `state_transition.go`, `statedb.go`), even when this node needs no access.
 */
import { concat, equal } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { has } from '../../sdk/module/gas.js';
import { PARAMS_KEY as FEE_MARKET_PARAMS, STORE as FEE_MARKET } from '../feemarket/params.js';
import { getAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { byConsensusKey, STORE as STAKING, validatorKey } from '../staking/keys.js';
import type { ContractKind } from './precompiles/contract-kind.js';
import { HISTORY_ADDRESS, historySlot } from './state.js';
import { getCodeHash, getStorage, PARAMS_KEY, STORE, storageOf } from './store.js';
import { COIN_INFO_KEY, evmCoin } from '../../sdk/coins/evm-coin.js';
import { fractionKey, STORE as PRECISEBANK } from '../../sdk/module/fraction-keys.js';
import { PAIR_BY_CONTRACT_PREFIX, PAIR_PREFIX, STORE as ERC20 } from '../../sdk/module/token-pair-keys.js';

/** Charges for parameters, proposer and base fee of the block. */
export function chargeSettings({ store, block }: Context): void {
  store.get(STORE, PARAMS_KEY);
  store.get(FEE_MARKET, FEE_MARKET_PARAMS);
  const operator = store.get(STAKING, byConsensusKey(block.proposer));
  if (operator !== undefined) store.get(STAKING, validatorKey(operator));
  store.get(STORE, COIN_INFO_KEY);
  store.get(FEE_MARKET, FEE_MARKET_PARAMS);
}

/**
 * Charges for checking whether an address is a precompile: first the parameters, then native and dynamic tokens with
 * their pair (cosmos/evm v0.6 `x/erc20/keeper/precompiles.go`).
 */
export function chargeContract({ store }: Context, address: Uint8Array, kind: ContractKind): void {
  store.get(STORE, PARAMS_KEY);
  if (kind === 'static') return;
  for (let count = 0; count < 2; count += 1) has(store, ERC20, concat(PAIR_BY_CONTRACT_PREFIX, address));
  if (kind === undefined) return;
  const id = store.get(ERC20, concat(PAIR_BY_CONTRACT_PREFIX, address));
  if (id !== undefined) store.get(ERC20, concat(PAIR_PREFIX, id));
}

/** Charges for an account with its balance, including the fractional balance. */
export function chargeAccount(context: Context, address: Uint8Array): void {
  if (getAccount(context, address) === undefined) return;
  getCodeHash(context, address);
  if (equal(address, moduleAddress(context.crypto, PRECISEBANK))) return;
  getBalance(context, address, evmCoin(context).denom);
  getAccount(context, address);
  chargeFraction(context, address);
}

/** Charges for a fractional balance. */
export function chargeFraction({ store }: Context, address: Uint8Array): void {
  store.get(PRECISEBANK, fractionKey(address));
}

/** Charges for searching storage at a new contract's address. */
export function chargeStorageSearch({ store }: Context, address: Uint8Array): void {
  for (const _ of store.range(STORE, prefixRange(storageOf(address)))) return;
}

/** Charges for a block hash from the history contract of EIP-2935 (cosmos/evm v0.6 `x/vm/keeper/keeper.go`). */
export function chargeBlockHash(context: Context, number: bigint): void {
  context.store.get(STORE, PARAMS_KEY);
  getStorage(context, HISTORY_ADDRESS, historySlot(context, number));
}
