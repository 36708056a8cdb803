/** Dev commands that set balances, nonces, code, storage and tokens, and that impersonate accounts and signatures. */
import { hex } from '../../../../core/bytes/hex.js';
import type { EthereumApi, EthereumDevApi } from '../../../../core/ethereum/api.js';
import { MAX_NONCE } from '../../../../core/ethereum/check-transaction.js';
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { type RpcError, rpcErrorOf, serverError } from '../../errors.js';
import { failed, type Method, method, ok } from '../../method.js';
import { address, data, slot } from '../../params/hex.js';
import { looseNumber, looseQuantity } from '../../params/numbers.js';
import { type Param, bad, bool, decodeEach, good, required } from '../../params/param.js';
import { answerOf, command, doneAs, doneSchema, named, toTrue } from './names.js';
import * as schema from '../../schema.js';

/** A nonce in hex (at most 60 bits) or as a number. */
const NONCE = schema.anyOf(schema.quantityOf('Quantity60', 60), schema.COUNT);

const nonce: Param<bigint> = required('nonce', NONCE, (value) => {
  const number = looseNumber(value);
  return number === undefined || number > MAX_NONCE ? bad('not a nonce') : good(number);
});

const RECOVERABLE: schema.Schema = { type: 'string', pattern: '^0x[0-9a-fA-F]{128}(00|01|1[bBcC])$' };

/** A 65-byte signature: r, s, and v as 27 or 28, or 0 or 1. */
const signatureOf: Param<Uint8Array> = required('signature', RECOVERABLE, (value) => {
  const read = data.decode(value);
  if (!read.ok) return read;
  const v = read.value[64] ?? 2;
  return read.value.length === 65 && [0, 1, 27, 28].includes(v) ? read : bad('not a signature of 65 bytes');
});

/**
 * Account parameter: one address; for Tenderly's method names also a list, with duplicates allowed. Rejects an empty
 * list, and one with more than `devListedAccounts` addresses.
 */
function accountsOf(name: string): Param<readonly Uint8Array[]> {
  const { devListedAccounts: maximum } = FIXED_LIMITS;
  const takesLists = name.startsWith('tenderly_');
  const several = { ...schema.listOf(schema.ADDRESS, maximum), minItems: 1 };
  const accountSchema = takesLists ? schema.anyOf(schema.ADDRESS, several) : schema.ADDRESS;
  return required('account', accountSchema, (value) => {
    if (!takesLists || !Array.isArray(value)) {
      const one = address.decode(value);
      return one.ok ? good([one.value]) : one;
    }
    if (value.length === 0) return bad('the list has no addresses');
    if (value.length > maximum) return bad(`${value.length} addresses, limit devListedAccounts (${maximum})`);
    const listed = decodeEach(value, (item: unknown) => address.decode(item));
    return listed.ok ? good([...new Map(listed.value.map((one) => [hex(one), one])).values()]) : listed;
  });
}

/** Also accepts the two arguments as one list, which is anvil's form (v1.7 `crates/anvil/core/src/eth/mod.rs`). */
function alsoAsPair(row: Method): Method {
  return {
    ...row,
    bind(args) {
      const [pair, ...further] = args;
      return row.bind(Array.isArray(pair) && further.length === 0 ? pair : args);
    },
  };
}

/**
 * hardhat's checks: it never lowers a nonce, and sets none while transactions are pending (EDR
 * `crates/edr_provider/src/data.rs`).
 */
function refuseNonce(api: EthereumApi, account: Uint8Array, proposed: bigint): RpcError | undefined {
  const isWaiting = (['pending', 'queued'] as const).some((place) => api.pendingTransactions(place).length > 0);
  if (isWaiting) return serverError('Cannot set account nonce when the transaction pool is not empty');
  const facts = api.account(account, api.blockNumber());
  if (!facts.ok) return rpcErrorOf(facts.error);
  const { nonce: previous } = facts.value;
  return proposed < previous
    ? serverError(`New nonce (${proposed}) must not be smaller than the existing nonce (${previous})`)
    : undefined;
}

/** Creates the commands that set accounts, code and storage. */
export function accountCommands(dev: EthereumDevApi): readonly Method[] {
  const { impersonation } = dev;
  return [
    ...named('setBalance', ['tenderly_setBalance', 'evm_setAccountBalance'], (name) =>
      method(
        name,
        'Sets the balance of an account in wei',
        [accountsOf(name), looseQuantity],
        doneSchema(name),
        async ([accounts, balance]) => answerOf(await dev.setBalance(accounts, balance), doneAs(name)),
      ),
    ),
    ...named('addBalance', ['tenderly_addBalance'], (name) =>
      method(
        name,
        'Adds to the balance of an account, in wei',
        [accountsOf(name), looseQuantity],
        doneSchema(name),
        async ([accounts, amount]) => answerOf(await dev.addBalance(accounts, amount), doneAs(name)),
      ),
    ),
    ...command('setCode', ['evm_setAccountCode'], 'Sets the code of an account', [address, data], ([account, code]) =>
      dev.setAccount(account, { code }),
    ),
    ...named('setNonce', ['evm_setAccountNonce'], (name) =>
      method(
        name,
        'Sets the nonce of an account',
        [address, nonce],
        doneSchema(name),
        async ([account, value], { api }) => {
          const refusal = name.startsWith('hardhat_') ? refuseNonce(api, account, value) : undefined;
          if (refusal !== undefined) return failed(refusal);
          return answerOf(await dev.setAccount(account, { nonce: value }), doneAs(name));
        },
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
      command(
        suffix,
        [],
        "Sets an account's balance of an ERC-20 token",
        [address, address, looseQuantity],
        ([owner, token, amount]) => dev.setTokenBalance(token, owner, amount),
      ),
    ),
    ...command(
      'setERC20Allowance',
      [],
      'Sets an allowance of an ERC-20 token',
      [address, address, address, looseQuantity],
      ([owner, spender, token, amount]) => dev.setTokenAllowance(token, owner, spender, amount),
    ),
    ...named('impersonateAccount', ['evm_unlockUnknownAccount'], (name) =>
      method(
        name,
        'Lets the node send for an account without its key',
        [address],
        name.startsWith('evm_') ? schema.BOOLEAN : doneSchema(name),
        ([account]) => answerOf(impersonation.start(account), name.startsWith('evm_') ? toTrue : doneAs(name)),
      ),
    ),
    ...named('stopImpersonatingAccount', ['evm_lockUnknownAccount'], (name) =>
      method(
        name,
        'Ends the impersonation of an account',
        [address],
        name.startsWith('evm_') ? schema.BOOLEAN : doneSchema(name),
        ([account]) => {
          const wasImpersonated = impersonation.stop(account);
          if (name.startsWith('hardhat_')) return ok(String(wasImpersonated));
          return ok(name.startsWith('evm_') ? 'true' : 'null');
        },
      ),
    ),
    ...command(
      'impersonateSignature',
      [],
      'Lets a signature recover to an account',
      [signatureOf, address],
      ([signature, signer]) => dev.setBlockFacts({ impersonatedSignature: { signature, signer } }),
    ).map(alsoAsPair),
    ...command('autoImpersonateAccount', [], 'Lets the node send for every account, or ends it', [bool], ([isOn]) => ({
      ok: true,
      value: impersonation.setAutomatic(isOn),
    })),
  ];
}
