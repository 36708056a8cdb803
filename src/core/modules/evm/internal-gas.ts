/**
 * The accesses to stores of a call by a module, in the number that the peer makes (cosmos/evm v0.6
 * `x/vm/keeper/config.go`, `state_transition.go`, `statedb.go`). They cost gas, also where this node has the values.
 */
import { concat, equal, lengthPrefixed } from '../../bytes/bytes.js';
import { moduleAddress } from '../../sdk/address.js';
import { withStore, type Context } from '../../sdk/context.js';
import { unmetered } from '../../sdk/gas.js';
import type { EvmFrame } from '../../evm/engine.js';
import { PARAMS_KEY as FEE_MARKET_PARAMS, STORE as FEE_MARKET } from '../feemarket/params.js';
import { getAccount, hasAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { getCode, getCodeHash, isEmptyCodeHash, PARAMS_KEY, STORE } from './store.js';
import { COIN_INFO_KEY, evmCoin } from '../../sdk/evm-coin.js';

const STAKING = 'staking';
const VALIDATOR = Uint8Array.of(0x21);
const VALIDATOR_BY_CONSENSUS = Uint8Array.of(0x22);
const PRECISEBANK = 'precisebank';
const FRACTION = Uint8Array.of(1);

/** Parameters, proposer and base fee of the block. */
export function chargeSettings({ store, block }: Context): void {
  store.get(STORE, PARAMS_KEY);
  store.get(FEE_MARKET, FEE_MARKET_PARAMS);
  const operator = store.get(STAKING, concat(VALIDATOR_BY_CONSENSUS, lengthPrefixed(block.proposer)));
  if (operator !== undefined) store.get(STAKING, concat(VALIDATOR, lengthPrefixed(operator)));
  store.get(STORE, COIN_INFO_KEY);
  store.get(FEE_MARKET, FEE_MARKET_PARAMS);
}

/** The question whether a contract is one of the chain's. */
export function chargeCall({ store, gas }: Context): void {
  store.get(STORE, PARAMS_KEY);
  // native and dynamic tokens
  for (let count = 0; count < 2; count += 1) gas.consume(HAS_GAS, 'Has');
}

const HAS_GAS = 1_000n;

/**
 * The call from outside, in the peer's order (go-ethereum v1.16 `core/vm/evm.go` Call): the account that is called, the
 * question whether it is a contract of the chain, then the caller. An account that does not exist is looked for twice,
 * and its caller is not read. Returns the accounts that are paid for.
 */
export function chargeOutermost(context: Context, from: Uint8Array, to: Uint8Array): readonly Uint8Array[] {
  const exists = hasAccount(withStore(context, unmetered(context.store)), to);
  chargeAccount(context, to);
  chargeCall(context);
  chargeAccount(context, exists ? from : to);
  return [from, to];
}

/** What a call does inside: each call asks again, and a new contract is looked for again and again. */
export function chargeFrame(context: Context, { kind, address }: EvmFrame): void {
  if (kind === 'call') {
    chargeCall(context);
    return;
  }
  context.gas.consume(SEEK_GAS, 'IterNextFlat');
  if (hasAccount(withStore(context, unmetered(context.store)), address)) return;
  // once the engine's own reading has paid for it
  for (let count = 1; count < LOOKS; count += 1) getAccount(context, address);
}

/** The end of a search for storage that is not there. */
const SEEK_GAS = 30n;
/** go-ethereum v1.16 `core/vm/evm.go` asks for code hash, nonce and existence of a new contract, then creates it. */
const LOOKS = 4;

/** An account with its code and its balance, of which precisebank has the fraction. */
export function chargeAccount(context: Context, address: Uint8Array): void {
  if (getAccount(context, address) === undefined) return;
  const hash = getCodeHash(context, address);
  if (!equal(address, moduleAddress(context.crypto, PRECISEBANK))) {
    getBalance(context, address, evmCoin(context).denom);
    getAccount(context, address);
    chargeFraction(context, address);
  }
  if (!isEmptyCodeHash(hash)) getCode(context, hash);
}

/** The fraction of a balance: the peer reads it with the balance that it compares before it writes. */
export function chargeFraction({ store }: Context, address: Uint8Array): void {
  store.get(PRECISEBANK, concat(FRACTION, address));
}
