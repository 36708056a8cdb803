import { bytesOfDigits } from '../../core/bytes/hex.js';
import { Query } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { wholeNumber } from '../values/whole-number.js';
import type { CommandRow } from '../table/command-table.js';
import { query, paged } from '../table/query-rows.js';

const { method } = Query;

function hexBytes(typed: string): Uint8Array {
  const digits = typed.replace(/^0x/i, '');
  const bytes = bytesOfDigits(digits);
  if (digits === '' || bytes === undefined)
    throw new CommandError(EXIT.usage, `${JSON.stringify(typed)} is not hexadecimal`);
  return bytes;
}

/** `query auth ...`: one method of the auth module each. */
export const commands: readonly CommandRow[] = [
  query('auth account <address>', 'an account', method.account),
  query('auth account-info <address>', 'address, key, number and sequence of an account', method.accountInfo),
  query('auth address-by-acc-num <number>', 'address of an account number', method.accountAddressByID, {
    request: ({ text }) => ({ accountId: wholeNumber(text(0), 'account number') }),
    aliases: ['address-by-id'],
  }),
  query('auth address-bytes-to-string <hex>', 'bech32 of address bytes', method.addressBytesToString, {
    request: ({ text }) => ({ addressBytes: hexBytes(text(0)) }),
  }),
  query('auth address-string-to-bytes <address>', 'bytes of a bech32 address', method.addressStringToBytes),
  query('auth bech32-prefix', "prefix of the chain's addresses", method.bech32Prefix, { aliases: ['bech32'] }),
  query('auth module-account <name>', 'account of a module', method.moduleAccountByName),
  query('auth module-accounts', 'accounts of all modules', method.moduleAccounts),
  query('auth params', 'parameters of auth', method.params),
  paged('auth accounts', 'all accounts', method.accounts),
  query('account <address>', 'an account (as `query auth account`)', method.account),
];
