/**
 * `eth_callMany` of Erigon (`rpc/jsonrpc/eth_callMany.go`), with the rules of anvil after 1.7.1 (foundry, master of
 * August 2026, `crates/anvil/src/eth/backend/mem/mod.rs`): executes bundles of calls, each on the state that the
 * previous ones left. The first bundle runs in the given block; each further one in a block with the next number, one
 * second later.
 */
import type { EthereumBlockOverrides } from '../../../core/ethereum/call.js';
import type { SequencedCall } from '../../../core/ethereum/call-sequence.js';
import { hexData } from '../../../core/bytes/hex.js';
import { revertReason } from '../../../core/ethereum/revert-reason.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import { isObject } from '../../../core/text/json-object.js';
import { invalidParams, serverError } from '../errors.js';
import { failed, type Method, method, ok } from '../method.js';
import { BUNDLE_OVERRIDES, decodeBundleOverrides } from '../params/bundle-overrides.js';
import { type BlockRef, blockRef, isPending, LATEST } from '../params/block-ref.js';
import { TRANSACTION, type TransactionArguments, transactionArguments } from '../params/call-arguments.js';
import { type Field, fieldOf, fieldsOf, schemaOf } from '../params/fields.js';
import { looseNumber } from '../params/numbers.js';
import { NO_OVERRIDES, stateOverrides } from '../params/overrides.js';
import {
  bad,
  type Decoded,
  decodeEach,
  good,
  kindOf,
  type Param,
  required,
  withDefault,
  wrongKind,
} from '../params/param.js';
import { resolveState } from '../resolve.js';
import * as schema from '../schema.js';
import { runSequence, tracedCall } from './sequence.js';

interface Bundle {
  readonly block: EthereumBlockOverrides;
  readonly calls: readonly TransactionArguments[];
}

const { simulatedBlocks, simulatedCallsOfBlock } = ETHEREUM_LIMITS;
const BUNDLE = schema.objectOf(
  { transactions: schema.listOf(TRANSACTION, simulatedCallsOfBlock), blockOverride: BUNDLE_OVERRIDES },
  ['transactions'],
);
const BUNDLES: schema.Schema = { ...schema.listOf(BUNDLE, simulatedBlocks), minItems: 1 };

const bundles: Param<readonly Bundle[]> = required('bundles', BUNDLES, (value) => {
  if (!Array.isArray(value)) return wrongKind(value, '[]Bundle');
  if (value.length > simulatedBlocks) return bad(`limit simulatedBlocks (${simulatedBlocks}) exceeded`);
  return value.length === 0 ? bad('bundles are empty.') : decodeEach(value, decodeBundle);
});

function decodeBundle(value: unknown): Decoded<Bundle> {
  if (!isObject(value)) return wrongKind(value, 'Bundle');
  const { transactions, blockOverride = null } = value;
  if ((transactions ?? null) === null) return bad("missing required field 'transactions' for Bundle");
  if (!Array.isArray(transactions))
    return bad(`json: cannot unmarshal ${kindOf(transactions)} into Go struct field Bundle.transactions`);
  const block = blockOverride === null ? good({}) : decodeBundleOverrides(blockOverride);
  if (!block.ok) return block;
  if (transactions.length > simulatedCallsOfBlock)
    return bad(`limit simulatedCallsOfBlock (${simulatedCallsOfBlock}) exceeded`);
  const calls = decodeEach(transactions, (transaction: unknown) => transactionArguments.decode(transaction));
  return calls.ok ? good({ block: block.value, calls: calls.value }) : calls;
}

/** `transactionIndex`: only -1 is supported, which runs the calls after all transactions of the block. */
const afterAll: Field<undefined> = {
  type: 'int',
  schema: { type: 'integer', enum: [-1] },
  decode(index) {
    if (index === -1 || index === '-1') return good(undefined);
    return bad(
      looseNumber(index) === undefined
        ? 'transactionIndex is not a number'
        : 'transactionIndex is not supported for eth_callMany yet',
    );
  },
};
const STATE_CONTEXT = fieldsOf('StateContext', {
  transactionIndex: afterAll,
  blockNumber: fieldOf(blockRef),
});

const stateContext: Param<BlockRef> = {
  ...required('state context', schemaOf('StateContext', STATE_CONTEXT), (value): Decoded<BlockRef> => {
    const read = STATE_CONTEXT.read(value);
    return read.ok ? good(read.value.blockNumber ?? LATEST) : read;
  }),
  isPending,
};

const RESULTS = schema.listOf(
  schema.listOf(schema.anyOf(schema.objectOf({ value: schema.DATA }), schema.objectOf({ error: schema.TEXT }))),
);

export const callManyMethods: readonly Method[] = [
  method(
    'eth_callMany',
    'Executes bundles of calls, each over what those before it changed',
    [bundles, withDefault(stateContext, LATEST), withDefault(stateOverrides, NO_OVERRIDES)],
    RESULTS,
    async ([requested, ref, state], context) => {
      const { api } = context;
      if (!state.ok) return failed(serverError(state.message));
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      const blocks = decodeEach(requested, ({ block, calls }) => {
        const traced = decodeEach(calls, (args) => tracedCall(api, args));
        return traced.ok ? good({ block, calls: traced.value }) : traced;
      });
      if (!blocks.ok) return failed(invalidParams(blocks.error.message));
      const sequence = { accounts: state.overrides, blocks: blocks.value, validation: false };
      const done = await runSequence(context, sequence, height.value);
      if (!done.ok) return failed(done.error);
      return ok(JSON.stringify(done.value.blocks.map((calls) => calls.map(shown))));
    },
  ),
];

function shown({ outcome }: SequencedCall): Readonly<Record<string, string>> {
  switch (outcome.kind) {
    case 'success':
      return { value: hexData(outcome.output) };
    case 'revert':
      return { error: revertReason(outcome.output) ?? 'execution reverted' };
    case 'halt':
      return { error: outcome.message };
  }
}
