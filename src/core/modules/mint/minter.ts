/**
 * Mints coins in each block, in proportion to the supply (cosmos-sdk v0.53 `x/mint/types/minter.go`,
 * `keeper/mint.go`).
 */
import { invariant } from '../../errors.js';
import { MinterSchema, type Minter as MinterMessage } from '../../proto/cosmos/mint/v1beta1/mint_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec, mulDec, quoDec, truncateDec } from '../../sdk/coins/dec.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { Records } from '../../state/records.js';
import { ensureModuleAccount, FEE_COLLECTOR } from '../auth/accounts.js';
import { getBalance, getSupply } from '../bank/balances.js';
import { mintCoins } from '../bank/supply.js';
import { sendCoins } from '../bank/transfer.js';
import { getParams as stakingParams } from '../staking/params.js';
import { getParams, STORE, type MintParams } from './params.js';
import { convertedCodec } from '../../state/params-record.js';

const MINTER_KEY = Uint8Array.of(0);
export const MINT = 'mint';

/** State of inflation; decimals in units of 10^-18. */
export interface Minter {
  /** Yearly inflation as a fraction of the supply. */
  readonly inflation: bigint;
  /** Coins minted per year at this inflation. */
  readonly annualProvisions: bigint;
}

const records = new Records(STORE, convertedCodec(MinterSchema, minterMessage, minterOfMessage));

/** Reads the minter; undefined before genesis stored it. */
export function getMinter(context: Context): Minter | undefined {
  return records.get(context, MINTER_KEY);
}

/** Stores the minter. */
export function setMinter(context: Context, minter: Minter): void {
  records.set(context, MINTER_KEY, minter);
}

/** Converts to the SDK's message; both numbers become integer strings with 18 decimals. */
export function minterMessage({ inflation, annualProvisions }: Minter): MinterMessage {
  return {
    $typeName: 'cosmos.mint.v1beta1.Minter',
    inflation: inflation.toString(),
    annualProvisions: annualProvisions.toString(),
  };
}

/** Inverse of `minterMessage`; 0 for a text that is not a number. */
export function minterOfMessage({ inflation, annualProvisions }: MinterMessage): Minter {
  return { inflation: decOfMessage(inflation) ?? 0n, annualProvisions: decOfMessage(annualProvisions) ?? 0n };
}

/**
 * Inflation of the next block: rises while less than the goal is bonded, otherwise falls, by at most the yearly
 * change divided by the blocks per year.
 */
export function nextInflation(inflation: bigint, params: MintParams, bondedRatio: bigint): bigint {
  const change = mulDec(DEC_ONE - quoDec(bondedRatio, params.goalBonded), params.inflationRateChange);
  const next = inflation + quoDec(change, params.blocksPerYear * DEC_ONE);
  const capped = next > params.inflationMax ? params.inflationMax : next;
  return capped < params.inflationMin ? params.inflationMin : capped;
}

/** Mints the coins of the block and sends them to the fee collector. */
export function beginBlock(context: Context): void {
  const [minter, params] = [getMinter(context), getParams(context)];
  invariant(minter !== undefined && params !== undefined, 'inflation has a genesis');
  const { bondDenom } = stakingParams(context);
  const supply = getSupply(context, bondDenom);
  const bonded = getBalance(context, moduleAddress(context.crypto, 'bonded_tokens_pool'), bondDenom);
  const bondedRatio = supply > 0n ? (bonded * DEC_ONE) / supply : 0n;

  const inflation = nextInflation(minter.inflation, params, bondedRatio);
  const annualProvisions = inflation * supply;
  setMinter(context, { inflation, annualProvisions });
  const amount = truncateDec(annualProvisions / params.blocksPerYear);
  const coins = amount === 0n ? [] : [coin(params.mintDenom, amount)];
  if (amount > 0n) mintCoins(context, MINT, coins);
  sendCoins(context, moduleAddress(context.crypto, MINT), ensureModuleAccount(context, FEE_COLLECTOR), coins);
  emit(context, 'mint', () => [
    ['bonded_ratio', formatDec(bondedRatio)],
    ['inflation', formatDec(inflation)],
    ['annual_provisions', formatDec(annualProvisions)],
    ['amount', amount.toString()],
  ]);
}
