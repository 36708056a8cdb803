/**
 * Moves wei of a coin with fewer than 18 decimals (cosmos/evm v0.6 `x/precisebank/keeper/send.go`, `mint.go`,
 * `burn.go`): whole units in bank, the rest as fractional balances, which the reserve (precisebank's module account)
 * backs.
 */
import { equal } from '../../../bytes/bytes.js';
import { abciEvent } from '../../../sdk/module/abci-event.js';
import { encodeAddress, moduleAddress } from '../../../sdk/codec/address.js';
import { coin } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../../sdk/module/sdk-error.js';
import { ensureModuleAccount, getAccount } from '../../../modules/auth/accounts.js';
import { burnCoins, mintCoins } from '../../../modules/bank/supply.js';
import { spendableOf } from '../../../modules/bank/spendable.js';
import { sendAmount } from '../../../modules/bank/transfer.js';
import type { EvmCoin } from '../../../sdk/coins/evm-coin.js';
import { getFraction, getRemainder, setFraction, setRemainder } from './fractions.js';

const MODULE = 'precisebank';

/** Address of the reserve, the module account that backs all fractional balances. */
export const reserveOf = ({ crypto }: Context): Uint8Array => moduleAddress(crypto, MODULE);

/** Moves a positive amount between two accounts. */
export function moveWei(context: Context, of: EvmCoin, from: Uint8Array, to: Uint8Array, amount: bigint): void {
  const { denom, unit } = of;
  const reserve = reserveOf(context);
  const named = (run: () => void): void => withAmountOf(context, of, from, amount, run);
  if (equal(from, reserve) || equal(to, reserve)) {
    const whole = amount / unit;
    if (whole > 0n) named(() => sendAmount(context, from, to, { denom, amount: whole }));
    return;
  }
  const [before, receiverBefore] = [getFraction(context, from), getFraction(context, to)];
  const fraction = amount % unit;
  const borrows = before < fraction;
  const carries = receiverBefore + fraction >= unit;
  const whole = amount / unit + (borrows && carries ? 1n : 0n);
  if (whole > 0n) named(() => sendAmount(context, from, to, { denom, amount: whole }));
  if (borrows && !carries) named(() => sendToModule(context, from, MODULE, denom));
  if (carries && !borrows) sendAmount(context, reserve, to, { denom, amount: 1n });
  const after = before - fraction + (borrows ? unit : 0n);
  const receiverAfter = receiverBefore + fraction - (carries ? unit : 0n);
  setFraction(context, from, after);
  setFraction(context, to, receiverAfter);
  tellFraction(context, from, after - before);
  tellFraction(context, to, receiverAfter - receiverBefore);
}

/** Mints wei to a module account; a fraction comes out of the reserve's remainder, or adds to it. */
export function mintWei(context: Context, { denom, unit }: EvmCoin, module: string, amount: bigint): void {
  const address = moduleAddress(context.crypto, module);
  const before = getFraction(context, address);
  const fraction = amount % unit;
  const remainder = getRemainder(context) - fraction;
  const carries = before + fraction >= unit;
  if (carries && remainder >= 0n) sendToModule(context, reserveOf(context), module, denom);
  const whole = amount / unit + (carries && remainder < 0n ? 1n : 0n);
  if (whole > 0n) mintCoins(context, module, [coin(denom, whole)]);
  const after = before + fraction - (carries ? unit : 0n);
  setFraction(context, address, after);
  if (remainder < 0n && !carries) mintCoins(context, MODULE, [coin(denom, 1n)]);
  setRemainder(context, remainder < 0n ? remainder + unit : remainder);
  tellFraction(context, address, after - before);
}

/** Burns wei of a module account. */
export function burnWei(context: Context, of: EvmCoin, module: string, amount: bigint): void {
  const { denom, unit } = of;
  const address = moduleAddress(context.crypto, module);
  const named = (run: () => void): void => withAmountOf(context, of, address, amount, run);
  const before = getFraction(context, address);
  const fraction = amount % unit;
  const borrows = before < fraction;
  const remainder = getRemainder(context) + fraction;
  const overflows = remainder >= unit;
  if (borrows && !overflows) named(() => sendToModule(context, address, MODULE, denom));
  if (!borrows && overflows) burnCoins(context, MODULE, [coin(denom, 1n)]);
  const whole = amount / unit + (borrows && overflows ? 1n : 0n);
  if (whole > 0n) named(() => burnCoins(context, module, [coin(denom, whole)]));
  const after = before - fraction + (borrows ? unit : 0n);
  setFraction(context, address, after);
  setRemainder(context, remainder - (overflows ? unit : 0n));
  tellFraction(context, address, after - before);
}

/** Spendable wei of an account; the reserve has none, because its coins back the fractional balances. */
export function spendableWei(context: Context, of: EvmCoin, address: Uint8Array): bigint {
  if (equal(address, reserveOf(context))) return 0n;
  return (
    spendableOf(context, getAccount(context, address), address, of.denom) * of.unit + getFraction(context, address)
  );
}

/** Sends one unit to a module account; reads that account first. */
function sendToModule(context: Context, from: Uint8Array, module: string, denom: string): void {
  sendAmount(context, from, ensureModuleAccount(context, module), { denom, amount: 1n });
}

/** Runs a move; an insufficient-funds error shows amounts in wei. */
function withAmountOf(context: Context, of: EvmCoin, from: Uint8Array, amount: bigint, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SdkError) || error.registered.code !== sdkErrors.insufficientFunds.code) throw error;
    const spendable = spendableWei(context, of, from);
    throw new SdkError(
      sdkErrors.insufficientFunds,
      `spendable balance ${spendable}${of.extended} is smaller than ${amount}${of.extended}`,
    );
  }
}

function tellFraction(context: Context, address: Uint8Array, delta: bigint): void {
  context.events.push(
    abciEvent('fractional_balance_change', [
      ['address', encodeAddress(context.chain.bech32Prefix, address)],
      ['delta', delta.toString()],
    ]),
  );
}
