/** `debug_*` methods that read the state, as in geth, reth and anvil. */
import { equal } from '../../../core/bytes/bytes.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { invalidParams, rpcErrorOf } from '../errors.js';
import { type Answer, failed, type Method, method, type MethodContext, ok, quoted, refusing } from '../method.js';
import { type BlockRef, blockNumber, blockRef, LATEST } from '../params/block-ref.js';
import { address, data, hash, index } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { bad, type Decoded, good, type Param, required, withDefault } from '../params/param.js';
import { existingBlock, resolveState, unknownBlock } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** Prefix of a code's key in geth's and reth's database: the letter c, followed by the hash. */
const CODE_PREFIX = Uint8Array.of(0x63);
const KEY_BYTES = 33;

const CODE_KEY: schema.Schema = { type: 'string', pattern: '^0x63[0-9a-fA-F]{64}$' };

/** A code key in hex, or as a string of byte-valued characters. */
const codeKey: Param<Uint8Array> = required('key', CODE_KEY, (value): Decoded<Uint8Array> => {
  const read =
    typeof value === 'string' && !value.startsWith('0x') ? good(new TextEncoder().encode(value)) : data.decode(value);
  if (!read.ok) return bad('Invalid hex key');
  if (read.value.length !== KEY_BYTES)
    return bad(`Invalid key length: expected ${KEY_BYTES} bytes, got ${read.value.length}`);
  return equal(read.value.subarray(0, 1), CODE_PREFIX)
    ? good(read.value.slice(1))
    : bad('Key prefix must be 0x63 for code hash lookups');
});

export const debugStateMethods: readonly Method[] = [
  method(
    'debug_codeByHash',
    'Code by its hash',
    [hash, withDefault(blockRef, LATEST)],
    schema.orNull(schema.DATA),
    ([value, ref], context) => codeOf(value, ref, context),
  ),
  method(
    'debug_dbGet',
    'Code by its key in the database of a peer',
    [codeKey],
    schema.orNull(schema.DATA),
    ([value], context) => codeOf(value, LATEST, context),
  ),
  method(
    'debug_accountInfoAt',
    'Account right behind a transaction of a block',
    [blockRef, index, address],
    result.ACCOUNT_INFO,
    async ([ref, place, account], { api }) => {
      const found = existingBlock(api, ref);
      if (!found.ok) return found;
      const { transactions } = found.value;
      const transaction = transactions[Number(place)];
      if (transaction === undefined)
        return failed(
          invalidParams(`tx_index ${place} out of bounds for block with ${transactions.length} transactions`),
        );
      const facts = await api.accountAfter(transaction.hash, account);
      if (!facts.ok) return failed(rpcErrorOf(facts.error));
      if (facts.value === undefined) return failed(unknownBlock(ref));
      const { balance, nonce, code } = facts.value;
      return ok(`{"balance":"${hexQuantity(balance)}","nonce":"${hexQuantity(nonce)}","code":"${hexData(code)}"}`);
    },
  ),
  refusing(
    'debug_executionWitness',
    [blockNumber],
    'the root in a header is that of IAVL trees, and eth_getProof proves against no header',
  ),
  // as in reth and anvil; V8 manages the memory
  method('debug_freeOSMemory', 'Does nothing', [], schema.NULL, () => ok('null')),
  method(
    'debug_getModifiedAccountsByNumber',
    'Answers null: changes are not kept',
    [looseQuantity, looseQuantity],
    schema.NULL,
    () => ok('null'),
  ),
];

function codeOf(value: Uint8Array, ref: BlockRef, { api }: MethodContext): Answer {
  const height = resolveState(api, ref);
  if (!height.ok) return failed(height.error);
  const code = api.codeOf(value, height.value);
  if (!code.ok) return failed(rpcErrorOf(code.error));
  return code.value === undefined ? ok('null') : quoted(hexData(code.value));
}
