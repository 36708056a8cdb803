import { bytesOfDigits } from '../../core/bytes/hex.js';
import { Query } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';
import type { CommandRow } from '../command-table.js';
import { ask } from '../command-rows.js';
import { page, paged, query } from '../query-rows.js';

const { method } = Query;

/** `query auth ...`: one method of the auth module each. */
const account = unary(method.account, async (input) => ({ address: await input.address(0) }));

function hexBytes(text: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  const bytes = bytesOfDigits(digits);
  if (digits === '' || bytes === undefined)
    throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is not hexadecimal`);
  return bytes;
}

export const commands: readonly CommandRow[] = [
  ask('auth account <address>', 'an account', account),
  query(
    'auth account-info <address>',
    'address, key, number and sequence of an account',
    method.accountInfo,
    async (input) => ({
      address: await input.address(0),
    }),
  ),
  query(
    'auth address-by-acc-num <number>',
    'address of an account number',
    method.accountAddressByID,
    ({ text }) => ({ accountId: wholeNumber(text(0), 'account number') }),
    { aliases: ['address-by-id'] },
  ),
  query('auth address-bytes-to-string <hex>', 'bech32 of address bytes', method.addressBytesToString, ({ text }) => ({
    addressBytes: hexBytes(text(0)),
  })),
  query(
    'auth address-string-to-bytes <address>',
    'bytes of a bech32 address',
    method.addressStringToBytes,
    ({ text }) => ({ addressString: text(0) }),
  ),
  query('auth bech32-prefix', "prefix of the chain's addresses", method.bech32Prefix, () => ({}), {
    aliases: ['bech32'],
  }),
  query('auth module-account <name>', 'account of a module', method.moduleAccountByName, ({ text }) => ({
    name: text(0),
  })),
  query('auth module-accounts', 'accounts of all modules', method.moduleAccounts),
  query('auth params', 'parameters of auth', method.params),
  paged('auth accounts', 'all accounts', method.accounts, page),
  ask('account <address>', 'an account (as `query auth account`)', account),
];
