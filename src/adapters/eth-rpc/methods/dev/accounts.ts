/** Commands that set balances, nonces, code, storage and tokens, and those of impersonation, of signatures too. */
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { MAX_NONCE } from '../../../../core/ethereum/check-transaction.js';
import { type Method, method, ok } from '../../method.js';
import { address, data, slot } from '../../params/hex.js';
import { looseNumber, looseQuantity } from '../../params/numbers.js';
import { type Param, bad, bool, good, required } from '../../params/param.js';
import { answerOf, named, toNull, toTrue } from './names.js';

const nonce: Param<bigint> = required('nonce', (value) => {
  const number = looseNumber(value);
  return number === undefined || number > MAX_NONCE ? bad('not a nonce') : good(number);
});

/** r and s, and v as 27 or 28, or as 0 or 1. */
const signatureOf: Param<Uint8Array> = required('signature', (value) => {
  const read = data.decode(value);
  if (!read.ok) return read;
  const v = read.value[64] ?? 2;
  return read.value.length === 65 && [0, 1, 27, 28].includes(v) ? read : bad('not a signature of 65 bytes');
});

export function accountCommands(dev: EthereumDevApi): readonly Method[] {
  const { impersonation } = dev;
  return [
    ...named('setBalance', ['tenderly_setBalance', 'evm_setAccountBalance'], (name) =>
      method(name, [address, looseQuantity], async ([account, balance]) =>
        answerOf(await dev.setBalance(account, balance), toNull),
      ),
    ),
    ...named('addBalance', ['tenderly_addBalance'], (name) =>
      method(name, [address, looseQuantity], async ([account, amount]) =>
        answerOf(await dev.addBalance(account, amount), toNull),
      ),
    ),
    ...named('setCode', ['evm_setAccountCode'], (name) =>
      method(name, [address, data], async ([account, code]) =>
        answerOf(await dev.setAccount(account, { code }), toNull),
      ),
    ),
    ...named('setNonce', ['evm_setAccountNonce'], (name) =>
      method(name, [address, nonce], async ([account, value]) =>
        answerOf(await dev.setAccount(account, { nonce: value }), toNull),
      ),
    ),
    ...named('setStorageAt', ['evm_setAccountStorageAt'], (name) =>
      method(name, [address, slot, slot], async ([account, key, value]) =>
        answerOf(await dev.setAccount(account, { slots: [{ slot: key, value }] }), toTrue),
      ),
    ),
    ...['dealERC20', 'setERC20Balance'].flatMap((suffix) =>
      named(suffix, [], (name) =>
        method(name, [address, address, looseQuantity], async ([owner, token, amount]) =>
          answerOf(await dev.setTokenBalance(token, owner, amount), toNull),
        ),
      ),
    ),
    ...named('setERC20Allowance', [], (name) =>
      method(name, [address, address, address, looseQuantity], async ([owner, spender, token, amount]) =>
        answerOf(await dev.setTokenAllowance(token, owner, spender, amount), toNull),
      ),
    ),
    ...named('impersonateAccount', ['evm_unlockUnknownAccount'], (name) =>
      method(name, [address], ([account]) =>
        answerOf(impersonation.start(account), name.startsWith('evm_') ? toTrue : toNull),
      ),
    ),
    ...named('stopImpersonatingAccount', ['evm_lockUnknownAccount'], (name) =>
      method(name, [address], ([account]) => {
        impersonation.stop(account);
        return ok(name.startsWith('evm_') ? 'true' : 'null');
      }),
    ),
    ...named('impersonateSignature', [], (name) =>
      method(name, [signatureOf, address], async ([signature, signer]) =>
        answerOf(await dev.setBlockFacts({ impersonatedSignature: { signature, signer } }), toNull),
      ),
    ),
    ...named('autoImpersonateAccount', [], (name) =>
      method(name, [bool], ([isOn]) => {
        impersonation.setAutomatic(isOn);
        return ok('null');
      }),
    ),
  ];
}
