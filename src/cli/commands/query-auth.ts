import { bytesOfDigits } from '../../core/bytes/hex.js';
import { Query } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';

const { method } = Query;

/** `query auth ...`: one method of the auth module each. */
export const account = unary(method.account, async (input) => ({ address: await input.address(0) }));
export const accountInfo = unary(method.accountInfo, async (input) => ({ address: await input.address(0) }));
export const accounts = unary(method.accounts, ({ pagination }) => pagination);
export const addressByNumber = unary(method.accountAddressByID, ({ text }) => ({
  accountId: wholeNumber(text(0), 'account number'),
}));
export const addressBytesToString = unary(method.addressBytesToString, ({ text }) => ({
  addressBytes: hexBytes(text(0)),
}));
export const addressStringToBytes = unary(method.addressStringToBytes, ({ text }) => ({ addressString: text(0) }));
export const bech32Prefix = unary(method.bech32Prefix, () => ({}));
export const moduleAccount = unary(method.moduleAccountByName, ({ text }) => ({ name: text(0) }));
export const moduleAccounts = unary(method.moduleAccounts, () => ({}));
export const params = unary(method.params, () => ({}));

function hexBytes(text: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  const bytes = bytesOfDigits(digits);
  if (digits === '' || bytes === undefined)
    throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is not hexadecimal`);
  return bytes;
}
