/**
 * `eth_getProof` (EIP-1186), `eth_getAccount` and `debug_storageRangeAt`. Merkle-Patricia tries are built on demand.
 * Their root is not in any header, because the chain's state is in IAVL trees.
 */
import type { AccountProof, StorageSlot } from '../../../core/ethereum/state-proof.js';
import { compare } from '../../../core/bytes/bytes.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { dataArray } from '../../../core/ethereum/json/log-json.js';
import { ETHEREUM_LIMITS, FIXED_LIMITS } from '../../../core/limits/limits.js';
import { rpcErrorOf, serverError } from '../errors.js';
import { failed, type Method, method, type MethodContext, ok } from '../method.js';
import { type BlockRef, LATEST, blockRef } from '../params/block-ref.js';
import { address, data, slot } from '../params/hex.js';
import { bad, decodeEach, good, type Param, required, withDefault, wrongKind } from '../params/param.js';
import { type Resolved, existingBlock, resolveState } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** A storage key. As in geth, the response repeats a full 32-byte key as given, and a shorter one as a quantity. */
interface ProofKey {
  readonly slot: Uint8Array;
  readonly isWhole: boolean;
}

const proofKeys: Param<readonly ProofKey[]> = required(
  'storage keys',
  schema.listOf(slot.schema, FIXED_LIMITS.storageSlots),
  (value) => {
    if (!Array.isArray(value)) return wrongKind(value, '[]string');
    if (value.length > FIXED_LIMITS.storageSlots)
      return bad(`too many storage keys requested (max ${FIXED_LIMITS.storageSlots}, got ${value.length})`);
    return decodeEach(value, (key: unknown) => {
      const isWhole = String(key).replace(/^0[xX]/u, '').length === 64;
      const decoded = slot.decode(key);
      return decoded.ok ? good({ slot: decoded.value, isWhole }) : decoded;
    });
  },
);

const places: Param<number> = required('count', schema.COUNT, (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? good(value) : wrongKind(value, 'int'),
);

const SLOTS = schema.objectOf({
  storage: schema.mapOf(schema.HASH, schema.objectOf({ key: schema.HASH, value: schema.HASH })),
  nextKey: schema.orNull(schema.HASH),
});

export const proofMethods: readonly Method[] = [
  method(
    'eth_getProof',
    'Proof of an account and of storage slots (EIP-1186)',
    [address, proofKeys, withDefault(blockRef, LATEST)],
    result.PROOF,
    async ([account, keys, ref], context) => {
      const slots = keys.map((key) => key.slot);
      const proved = await prove(account, slots, ref, context);
      return proved.ok ? ok(proofJson(account, keys, proved.value)) : failed(proved.error);
    },
  ),
  method(
    'eth_getAccount',
    'Account with the hash of its code and the root of its storage',
    [address, withDefault(blockRef, LATEST)],
    result.ACCOUNT,
    async ([account, ref], context) => {
      const proved = await prove(account, [], ref, context);
      return proved.ok ? ok(accountJson(proved.value)) : failed(proved.error);
    },
  ),
  method(
    'debug_storageRangeAt',
    'Storage slots of a contract in the order of their hashes',
    [blockRef, places, address, data, places],
    SLOTS,
    async ([ref, index, account, start, maximum], context) => {
      const { api } = context;
      const found = existingBlock(api, ref);
      if (!found.ok) return found;
      const { transactions, height, hash: block } = found.value;
      const transaction = transactions[index];
      if (transaction === undefined && (index > 0 || transactions.length > 0))
        return failed(serverError(`transaction index ${index} out of range for block ${hexData(block)}`));
      const slots = await api.slotsAt(height, transaction?.hash, account);
      if (!slots.ok) return failed(rpcErrorOf(slots.error));
      const { crypto } = context;
      const hashed = slots.value.map((one) => ({ ...one, hash: crypto.keccak256(one.slot) }));
      return ok(rangeJson(hashed, start, Math.min(maximum, FIXED_LIMITS.storageSlots)));
    },
  ),
];

async function prove(
  account: Uint8Array,
  slots: readonly Uint8Array[],
  ref: BlockRef,
  { api }: MethodContext,
): Promise<Resolved<AccountProof>> {
  const height = resolveState(api, ref);
  if (!height.ok) return height;
  const maximum = ETHEREUM_LIMITS.proofHeights;
  if (height.value + maximum < api.blockNumber())
    return {
      ok: false,
      error: serverError(`required historical state unavailable: limit proofHeights (${maximum}) exceeded`),
    };
  const proved = await api.proof(account, slots, height.value);
  return proved.ok ? proved : { ok: false, error: rpcErrorOf(proved.error) };
}

/** JSON of an account with the fields of an account trie leaf. */
function accountJson({ balance, nonce, codeHash, storageHash }: AccountProof): string {
  return (
    `{"balance":"${hexQuantity(balance)}","nonce":"${hexQuantity(nonce)}"` +
    `,"codeHash":"${hexData(codeHash)}","storageRoot":"${hexData(storageHash)}"}`
  );
}

function proofJson(account: Uint8Array, keys: readonly ProofKey[], proof: AccountProof): string {
  const slots = proof.storageProof.map(({ slot: key, value, proof: nodes }, at) => {
    const name = keys[at]?.isWhole === true ? hexData(key) : hexQuantity(BigInt(hexData(key)));
    return `{"key":"${name}","value":"${hexQuantity(value)}","proof":${dataArray(nodes)}}`;
  });
  return (
    `{"address":"${hexData(account)}","accountProof":${dataArray(proof.accountProof)},"balance":"${hexQuantity(proof.balance)}"` +
    `,"codeHash":"${hexData(proof.codeHash)}","nonce":"${hexQuantity(proof.nonce)}","storageHash":"${hexData(proof.storageHash)}"` +
    `,"storageProof":[${slots.join(',')}]}`
  );
}

/** JSON of at most `maximum` slots from `start` on, ordered by slot hash (geth `StorageRangeResult`). */
function rangeJson(
  hashed: readonly (StorageSlot & { readonly hash: Uint8Array })[],
  start: Uint8Array,
  maximum: number,
): string {
  const from = hashed
    .filter((one) => compare(one.hash, start) >= 0)
    .toSorted((left, right) => compare(left.hash, right.hash));
  const shown = from
    .slice(0, maximum)
    .map((one) => `"${hexData(one.hash)}":{"key":"${hexData(one.slot)}","value":"${hexData(one.value)}"}`);
  const next = from[maximum];
  return `{"storage":{${shown.join(',')}},"nextKey":${next === undefined ? 'null' : `"${hexData(next.hash)}"`}}`;
}
