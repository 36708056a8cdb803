import { create, toBinary } from '@bufbuild/protobuf';
import { MAX_UINT256 } from '../../bigint.js';
import { moduleAddress, requireAddress } from '../../sdk/codec/address.js';
import { coin, isValidDenom, parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { Msg, type MsgSetBalance, MsgSetBalanceSchema } from '../../proto/chronicle/dev/v1/tx_pb.js';
import { outsideSupply, setOutsideSupply } from '../../sdk/module/development-chain.js';
import { ensureAccount, getAccount } from '../auth/accounts.js';
import { getBalance, getSupply } from '../bank/balances.js';
import { burnCoins, mintCoins } from '../bank/supply.js';
import { addCoins, sendCoins } from '../bank/transfer.js';
import { SET_BALANCE_URL } from './ante.js';
import { devTx } from './dev-tx.js';
import { requireEnabled } from './store.js';

const MODULE = 'dev';

/** Larger balances must be set outside of the supply, whose 256 bits then have room for many smaller ones. */
export const MAX_BALANCE_IN_SUPPLY = 1n << 192n;

/**
 * Sets the balance of an account by minting or burning the difference, so that the supply stays the sum of balances.
 * With `outside_supply` the coins are not minted but counted by `outsideSupply`.
 */
export const setBalance = message(Msg, 'setBalance', (context, request) => {
  requireEnabled(context);
  const { denom } = request;
  const address = requireAddress(context.chain.bech32Prefix, request.address, 'invalid address');
  const amount = parseAmount(request.amount);
  if (amount === undefined || !isValidDenom(denom))
    throw new SdkError(sdkErrors.invalidCoins, `${request.amount}${denom}`);
  ensureAccount(context, address);
  const by = amount - getBalance(context, address, denom);
  if (by > 0n && request.outsideSupply) giveOutsideSupply(context, address, denom, by);
  else change(context, address, denom, by);
});

/**
 * Adds coins outside of the supply. Rejects module accounts and accounts with locked coins, because the EVM does not
 * see all of their balance.
 */
function giveOutsideSupply(context: Context, address: Uint8Array, denom: string, by: bigint): void {
  if (getAccount(context, address)?.kind !== 'base')
    throw new SdkError(sdkErrors.invalidCoins, 'the balance of a module or of locked coins is at most 2^192');
  addCoins(context, address, [coin(denom, by)]);
  setOutsideSupply(context, denom, outsideSupply(context, denom) + by);
}

function change(context: Context, address: Uint8Array, denom: string, by: bigint): void {
  if (by === 0n) return;
  const module = moduleAddress(context.crypto, MODULE);
  if (by > 0n) {
    if (getSupply(context, denom) + by > MAX_UINT256)
      throw new SdkError(sdkErrors.invalidCoins, `the supply of ${denom} would not fit into 256 bits`);
    mintCoins(context, MODULE, [coin(denom, by)]);
    sendCoins(context, module, address, [coin(denom, by)]);
  } else {
    sendCoins(context, address, module, [coin(denom, -by)]);
    burnCoins(context, MODULE, [coin(denom, -by)]);
  }
}

/** Encoded transaction that sets a balance. */
export function setBalanceTx(
  fields: Pick<MsgSetBalance, 'address' | 'denom' | 'amount' | 'sequence'> & { readonly outsideSupply?: boolean },
): Uint8Array {
  return devTx(SET_BALANCE_URL, toBinary(MsgSetBalanceSchema, create(MsgSetBalanceSchema, fields)));
}
