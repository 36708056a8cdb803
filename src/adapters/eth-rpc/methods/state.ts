/** Methods about accounts, code and storage at a block, by default `latest`. */
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import type { Outcome } from '../../../core/node-api.js';
import type { Height } from '../../../core/primitives.js';
import { rpcErrorOf } from '../errors.js';
import { isObject } from '../../../core/text/json-object.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { type BlockRef, LATEST, blockRef, isPending } from '../params/block-ref.js';
import { address, slot } from '../params/hex.js';
import { type Param, bad, decodeEach, good, required, withDefault, wrongKind } from '../params/param.js';
import { resolveState } from '../resolve.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

const atBlock = withDefault(blockRef, LATEST);
/** A block parameter for nonces: at `pending` the pool is read, so no pending block is built. */
const atBlockOrInPool: Param<BlockRef> = { ...atBlock, isPending: () => false };

interface StorageRequest {
  /** The account as the client wrote it: a key of the response. */
  readonly name: string;
  readonly account: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

const STORAGE_REQUESTS: schema.Schema = {
  ...schema.mapOf(schema.ADDRESS, { ...schema.listOf(slot.schema), minItems: 1 }),
  minProperties: 1,
};

const storageRequests: Param<readonly StorageRequest[]> = required('storage requests', STORAGE_REQUESTS, (value) => {
  if (!isObject(value)) return wrongKind(value, 'map[common.Address][]string');
  let count = 0;
  const requests = decodeEach(Object.entries(value), ([name, keys]) => {
    const account = address.decode(name);
    if (!account.ok) return account;
    if (!Array.isArray(keys)) return wrongKind(keys, '[]string');
    count += keys.length;
    if (count > FIXED_LIMITS.storageSlots) return bad(`too many slots (max ${FIXED_LIMITS.storageSlots})`);
    const slots = decodeEach(keys, (key: unknown) => slot.decode(key));
    return slots.ok ? good({ name, account: account.value, slots: slots.value }) : slots;
  });
  return requests.ok && count === 0 ? bad('empty request') : requests;
});

export const stateMethods: readonly Method[] = [
  method(
    'eth_getBalance',
    'Balance of an account in wei',
    [address, atBlock],
    schema.QUANTITY,
    ([account, ref], context) =>
      read(
        context,
        ref,
        (height) => context.api.account(account, height),
        ({ balance }) => hexQuantity(balance),
      ),
  ),
  method(
    'eth_getTransactionCount',
    'Nonce of an account: the number of transactions that it sent',
    [address, atBlockOrInPool],
    schema.QUANTITY_64,
    ([account, ref], context) =>
      isPending(ref)
        ? quoted(hexQuantity(context.api.pendingNonce(account)))
        : read(
            context,
            ref,
            (height) => context.api.account(account, height),
            ({ nonce }) => hexQuantity(nonce),
          ),
  ),
  method('eth_getCode', 'Code of an account', [address, atBlock], schema.DATA, ([account, ref], context) =>
    read(context, ref, (height) => context.api.code(account, height), hexData),
  ),
  method(
    'eth_getAccountInfo',
    'Balance, nonce and code of an account',
    [address, atBlock],
    result.ACCOUNT_INFO,
    ([account, ref], { api }) => {
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      const facts = api.account(account, height.value);
      if (!facts.ok) return failed(rpcErrorOf(facts.error));
      const code = api.code(account, height.value);
      if (!code.ok) return failed(rpcErrorOf(code.error));
      const { balance, nonce } = facts.value;
      return ok(
        `{"balance":"${hexQuantity(balance)}","nonce":"${hexQuantity(nonce)}","code":"${hexData(code.value)}"}`,
      );
    },
  ),
  method(
    'eth_getStorageAt',
    'Value of a storage slot',
    [address, slot, atBlock],
    schema.HASH,
    ([account, key, ref], context) =>
      read(context, ref, (height) => context.api.storage(account, key, height), hexData),
  ),
  method(
    'eth_getStorageValues',
    'Values of several storage slots of several accounts',
    [storageRequests, atBlock],
    schema.mapOf(schema.TEXT, schema.listOf(schema.HASH)),
    ([requests, ref], { api }) => {
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      const values: Record<string, readonly string[]> = {};
      for (const { name, account, slots } of requests) {
        const words: string[] = [];
        for (const key of slots) {
          const word = api.storage(account, key, height.value);
          if (!word.ok) return failed(rpcErrorOf(word.error));
          words.push(hexData(word.value));
        }
        values[name] = words;
      }
      return ok(JSON.stringify(values));
    },
  ),
];

function read<Value>(
  context: MethodContext,
  ref: BlockRef,
  ask: (height: Height) => Outcome<Value>,
  show: (value: Value) => string,
): Answer {
  const height = resolveState(context.api, ref);
  if (!height.ok) return failed(height.error);
  const outcome = ask(height.value);
  return outcome.ok ? quoted(show(outcome.value)) : failed(rpcErrorOf(outcome.error));
}
