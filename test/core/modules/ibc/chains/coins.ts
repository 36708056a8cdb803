/** Balances and supplies of a chain, and the denoms of vouchers. */
import { getBalance, getSupply } from '../../../../../src/core/modules/bank/balances.js';
import { denomOfPath, localDenom } from '../../../../../src/core/modules/transfer/denom.js';
import { parseAddress } from '../../../../../src/core/sdk/codec/address.js';
import { crypto } from '../../../app/support.js';
import type { IbcChain } from './chain.js';

/** The balance of an account, in base units. */
export function balanceOf(chain: IbcChain, account: string, denom: string): bigint {
  const address = parseAddress(chain.prefix, account);
  if (address === undefined) throw new Error(account);
  return getBalance(chain.context(), address, denom);
}

/** The total supply of a denom on a chain. */
export function supplyOf(chain: IbcChain, denom: string): bigint {
  return getSupply(chain.context(), denom);
}

/** The denom of the voucher for the token of a path. */
export function voucherOf(_: unknown, path: string): string {
  return localDenom((data) => crypto.sha256(data), denomOfPath(path));
}
