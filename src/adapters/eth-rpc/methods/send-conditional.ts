/**
 * `eth_sendRawTransactionConditional` (ERC-7796): admits a transaction only if conditions hold at the head. They are
 * checked once, at one head, before admission.
 */
import { equal } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import type { Outcome } from '../../../core/errors.js';
import { FIXED_LIMITS } from '../../../core/limits/limits.js';
import type { Height } from '../../../core/primitives.js';
import { isObject } from '../../../core/text/json-object.js';
import { limitExceeded, type RpcError, rpcErrorOf } from '../errors.js';
import { failed, type Method, sending, type MethodContext } from '../method.js';
import { type Field, fieldsOf, looseQuantity, objectParam, type ValuesOf } from '../params/fields.js';
import { SLOT, address, data, hash, slot } from '../params/hex.js';
import { bad, type Decoded, good, kindOf, type Param } from '../params/param.js';
import * as schema from '../schema.js';
import { answerOf } from './send.js';

/** Error code of ERC-7796 for an unmet condition. */
const NOT_MET = -32_003;

/** An expected account: values of slots, or its storage root. */
type KnownAccount =
  | { readonly kind: 'root'; readonly account: Uint8Array; readonly expected: Uint8Array }
  | { readonly kind: 'slot'; readonly account: Uint8Array; readonly slot: Uint8Array; readonly expected: Uint8Array };

const CONDITION = fieldsOf('TransactionConditional', {
  blockNumberMin: looseQuantity,
  blockNumberMax: looseQuantity,
  timestampMin: looseQuantity,
  timestampMax: looseQuantity,
  knownAccounts: {
    type: 'KnownAccounts',
    schema: schema.mapOf(schema.ADDRESS, schema.anyOf(schema.HASH, schema.mapOf(SLOT, slot.schema))),
    decode: decodeKnown,
  } satisfies Field<readonly KnownAccount[]>,
});

type Condition = ValuesOf<typeof CONDITION>;

const condition: Param<Condition> = objectParam('condition', 'Condition', CONDITION);

const { storageSlots: maximum } = FIXED_LIMITS;
const TOO_MANY = limitExceeded(`limit storageSlots (${maximum}) exceeded`);

/** Decodes the known accounts; stops one above the limit, so that `refuse` reports it. */
function decodeKnown(value: unknown): Decoded<readonly KnownAccount[]> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field knownAccounts`);
  const known: KnownAccount[] = [];
  for (const [name, expected] of Object.entries(value)) {
    if (known.length > maximum) break;
    const account = address.decode(name);
    if (!account.ok) return account;
    if (typeof expected === 'string') {
      const root = hash.decode(expected);
      if (!root.ok) return root;
      known.push({ kind: 'root', account: account.value, expected: root.value });
    } else if (isObject(expected)) {
      for (const [key, word] of Object.entries(expected)) {
        if (known.length > maximum) break;
        const place = slot.decode(key);
        if (!place.ok) return place;
        const content = slot.decode(word);
        if (!content.ok) return content;
        known.push({ kind: 'slot', account: account.value, slot: place.value, expected: content.value });
      }
    } else return bad(`the storage of ${hexData(account.value)} is no root and no slots`);
  }
  return good(known);
}

export const sendConditionalMethods: readonly Method[] = [
  sending(
    'eth_sendRawTransactionConditional',
    'Sends a signed transaction where conditions hold (ERC-7796); answers its hash',
    [data, condition],
    schema.HASH,
    async ([raw, conditions], context) => {
      const refusal = await refuse(conditions, context);
      return refusal === undefined ? answerOf(context.api, await context.api.sendRawTransaction(raw)) : failed(refusal);
    },
  ),
];

/** The error for too many slots and roots, or for the first condition that does not hold at the head. */
async function refuse(conditions: Condition, { api }: MethodContext): Promise<RpcError | undefined> {
  const { knownAccounts = [] } = conditions;
  if (knownAccounts.length > maximum) return TOO_MANY;
  await api.dev?.revertEnded();
  const height = api.blockNumber();
  const number: bigint = height;
  const timestamp = api.block(height)?.timestamp ?? 0n;
  for (const [name, fact, lowest, highest] of [
    ['block number', number, conditions.blockNumberMin, conditions.blockNumberMax],
    ['timestamp', timestamp, conditions.timestampMin, conditions.timestampMax],
  ] as const) {
    if (lowest !== undefined && fact < lowest) return unmet(`${name} ${fact} is below ${lowest}`);
    if (highest !== undefined && fact > highest) return unmet(`${name} ${fact} is above ${highest}`);
  }
  for (const fact of knownAccounts) {
    const found = await storageOf(fact, height, api);
    if (!found.ok) return rpcErrorOf(found.error);
    if (!equal(found.value, fact.expected))
      return unmet(`storage of ${hexData(fact.account)} is ${hexData(found.value)}, not ${hexData(fact.expected)}`);
  }
  return undefined;
}

/** Reads the value of a slot, or the storage root. */
async function storageOf(fact: KnownAccount, height: Height, api: EthereumApi): Promise<Outcome<Uint8Array>> {
  if (fact.kind === 'slot') return api.storage(fact.account, fact.slot, height);
  const proved = await api.proof(fact.account, [], height);
  return proved.ok ? { ok: true, value: proved.value.storageHash } : proved;
}

function unmet(why: string): RpcError {
  return { code: NOT_MET, message: `transaction condition is not met: ${why}` };
}
