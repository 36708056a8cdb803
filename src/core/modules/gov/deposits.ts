/** Deposits of proposals: storage, refunds, burning (cosmos-sdk v0.53 `x/gov/keeper/deposit.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { prefixRange } from '../../bytes/key-order.js';
import { MsgFundCommunityPoolSchema } from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { DepositSchema, type Deposit } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { encodeAddress, moduleAddress } from '../../sdk/codec/address.js';
import { coin, sumCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, mulDec, parseDec, truncateDec } from '../../sdk/coins/dec.js';
import { burnCoins } from '../bank/supply.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { requireQueriedAddress } from '../queried-address.js';
import { execute } from '../../sdk/module/execute-message.js';
import { addressOfKey, DEPOSIT_PREFIX, depositKey, depositsOf, STORE } from './keys.js';

/** Name of the module and of its account, which holds the deposits. */
export const GOV = 'gov';

/** A deposit with the address of its depositor. */
export interface DepositRow {
  readonly depositor: Uint8Array;
  readonly deposit: Deposit;
}

/** Decodes a row of the store. */
export function decodeDeposit(value: Uint8Array): Deposit {
  return fromBinary(DepositSchema, value);
}

/** Reads the deposit of an account on a proposal; undefined where there is none. */
export function getDeposit({ store }: Context, proposal: bigint, depositor: Uint8Array): Deposit | undefined {
  const value = store.get(STORE, depositKey(proposal, depositor));
  return value && decodeDeposit(value);
}

/** Stores a deposit under its proposal and the address of its depositor. */
export function setDeposit({ store }: Context, depositor: Uint8Array, deposit: Deposit): void {
  store.set(STORE, depositKey(deposit.proposalId, depositor), toBinary(DepositSchema, deposit));
}

/** Deposits of one proposal, or of all, ordered by depositor. */
export function depositsFor({ store }: Context, proposal?: bigint): readonly DepositRow[] {
  const prefix = proposal === undefined ? DEPOSIT_PREFIX : depositsOf(proposal);
  return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) => ({
    depositor: addressOfKey(key),
    deposit: decodeDeposit(value),
  }));
}

/** Refunds the deposits of a proposal. */
export function refundDeposits(context: Context, proposal: bigint): void {
  for (const { depositor, deposit } of depositsFor(context, proposal)) {
    sendFromModule(context, GOV, depositor, deposit.amount);
    context.store.delete(STORE, depositKey(proposal, depositor));
  }
}

/** Burns the deposits of a proposal. */
export function burnDeposits(context: Context, proposal: bigint): void {
  const deposits = depositsFor(context, proposal);
  for (const { depositor } of deposits) context.store.delete(STORE, depositKey(proposal, depositor));
  burnCoins(context, GOV, sumCoins(deposits.flatMap(({ deposit }) => deposit.amount)));
}

/**
 * Charges the cancellation fee: a fraction of each deposit is burned or sent to `destination` (the community pool, if
 * that is the distribution module's address); the rest is refunded.
 */
export function chargeDeposits(context: Context, proposal: bigint, destination: string, ratio: string): void {
  const rate = parseDec(ratio) ?? 0n;
  const charged = depositsFor(context, proposal).flatMap(({ depositor, deposit }) => {
    const parts = deposit.amount.map(({ denom, amount }) => {
      const taken = truncateDec(mulDec(BigInt(amount) * DEC_ONE, rate));
      return { taken: coin(denom, taken), rest: coin(denom, BigInt(amount) - taken) };
    });
    const rest = sumCoins(parts.map((part) => part.rest));
    if (rest.length > 0) sendFromModule(context, GOV, depositor, rest);
    context.store.delete(STORE, depositKey(proposal, depositor));
    return parts.map(({ taken }) => taken);
  });
  const charges = sumCoins(charged);
  if (charges.length === 0) return;
  const prefix = context.chain.bech32Prefix;
  if (destination === '') burnCoins(context, GOV, charges);
  else if (destination === encodeAddress(prefix, moduleAddress(context.crypto, 'distribution')))
    execute(context, MsgFundCommunityPoolSchema, {
      depositor: encodeAddress(prefix, moduleAddress(context.crypto, GOV)),
      amount: charges,
    });
  else sendFromModule(context, GOV, requireQueriedAddress(prefix, destination), charges);
}
