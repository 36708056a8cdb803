/** Commands that set balances, nonces, code, storage and tokens, and those of impersonation, of signatures too. */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { MAX_NONCE } from '../../../../core/ethereum/check-transaction.js';
import { type Method, method, ok } from '../../method.js';
import { address, data, slot } from '../../params/hex.js';
import { looseNumber, looseQuantity } from '../../params/numbers.js';
import { type Param, bad, bool, good, required } from '../../params/param.js';
import { answerOf, named, toNull, toTrue } from './names.js';
import * as schema from '../../schema.js';

/** Hex of at most 60 bits, or a number: below the highest nonce. */
const NONCE = schema.anyOf(schema.quantityOf('Quantity60', 60), schema.COUNT);

const nonce: Param<bigint> = required('nonce', NONCE, (value) => {
  const number = looseNumber(value);
  return number === undefined || number > MAX_NONCE ? bad('not a nonce') : good(number);
});

const RECOVERABLE: schema.Schema = { type: 'string', pattern: '^0x[0-9a-fA-F]{128}(00|01|1[bBcC])$' };

/** r and s, and v as 27 or 28, or as 0 or 1. */
const signatureOf: Param<Uint8Array> = required('signature', RECOVERABLE, (value) => {
  const read = data.decode(value);
  if (!read.ok) return read;
  const v = read.value[64] ?? 2;
  return read.value.length === 65 && [0, 1, 27, 28].includes(v) ? read : bad('not a signature of 65 bytes');
});

export function accountCommands(dev: EthereumDevApi): readonly Method[] {
  const { impersonation } = dev;
  return [
    ...named('setBalance', ['tenderly_setBalance', 'evm_setAccountBalance'], (name) =>
      method(
        name,
        'Sets the balance of an account in wei',
        [address, looseQuantity],
        schema.NULL,
        async ([account, balance]) => answerOf(await dev.setBalance(account, balance), toNull),
      ),
    ),
    ...named('addBalance', ['tenderly_addBalance'], (name) =>
      method(
        name,
        'Adds to the balance of an account, in wei',
        [address, looseQuantity],
        schema.NULL,
        async ([account, amount]) => answerOf(await dev.addBalance(account, amount), toNull),
      ),
    ),
    ...named('setCode', ['evm_setAccountCode'], (name) =>
      method(name, 'Sets the code of an account', [address, data], schema.NULL, async ([account, code]) =>
        answerOf(await dev.setAccount(account, { code }), toNull),
      ),
    ),
    ...named('setNonce', ['evm_setAccountNonce'], (name) =>
      method(name, 'Sets the nonce of an account', [address, nonce], schema.NULL, async ([account, value]) =>
        answerOf(await dev.setAccount(account, { nonce: value }), toNull),
      ),
    ),
    ...named('setStorageAt', ['evm_setAccountStorageAt'], (name) =>
      method(
        name,
        'Sets a storage slot of a contract',
        [address, slot, slot],
        schema.BOOLEAN,
        async ([account, key, value]) =>
          answerOf(await dev.setAccount(account, { slots: [{ slot: key, value }] }), toTrue),
      ),
    ),
    ...['dealERC20', 'setERC20Balance'].flatMap((suffix) =>
      named(suffix, [], (name) =>
        method(
          name,
          "Sets an account's balance of an ERC-20 token",
          [address, address, looseQuantity],
          schema.NULL,
          async ([owner, token, amount]) => answerOf(await dev.setTokenBalance(token, owner, amount), toNull),
        ),
      ),
    ),
    ...named('setERC20Allowance', [], (name) =>
      method(
        name,
        'Sets an allowance of an ERC-20 token',
        [address, address, address, looseQuantity],
        schema.NULL,
        async ([owner, spender, token, amount]) =>
          answerOf(await dev.setTokenAllowance(token, owner, spender, amount), toNull),
      ),
    ),
    ...named('impersonateAccount', ['evm_unlockUnknownAccount'], (name) =>
      method(
        name,
        'Lets the node send for an account without its key',
        [address],
        schema.anyOf(schema.NULL, schema.BOOLEAN),
        ([account]) => answerOf(impersonation.start(account), name.startsWith('evm_') ? toTrue : toNull),
      ),
    ),
    ...named('stopImpersonatingAccount', ['evm_lockUnknownAccount'], (name) =>
      method(
        name,
        'Ends the impersonation of an account',
        [address],
        schema.anyOf(schema.NULL, schema.BOOLEAN),
        ([account]) => {
          impersonation.stop(account);
          return ok(name.startsWith('evm_') ? 'true' : 'null');
        },
      ),
    ),
    ...named('impersonateSignature', [], (name) =>
      method(
        name,
        'Lets a signature recover to an account',
        [signatureOf, address],
        schema.NULL,
        async ([signature, signer]) =>
          answerOf(await dev.setBlockFacts({ impersonatedSignature: { signature, signer } }), toNull),
      ),
    ),
    ...named('autoImpersonateAccount', [], (name) =>
      method(name, 'Lets the node send for every account, or ends it', [bool], schema.NULL, ([isOn]) => {
        impersonation.setAutomatic(isOn);
        return ok('null');
      }),
    ),
  ];
}
