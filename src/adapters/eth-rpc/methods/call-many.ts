/**
 * `eth_callMany` of Erigon (`rpc/jsonrpc/eth_callMany.go`), with the rules of anvil (foundry 1.7
 * `crates/anvil/src/eth/backend/mem/mod.rs`): bundles of calls, each over what those before it changed. The first
 * bundle runs in the block, each other one in a block with the next number, a second later.
 */
import type { EthereumBlockOverrides } from '../../../core/ethereum/api.js';
import type { SequencedCall, TracedCall } from '../../../core/ethereum/call-sequence.js';
import { hexData } from '../../../core/bytes/hex.js';
import { revertReason } from '../../../core/ethereum/revert-reason.js';
import { ETHEREUM_LIMITS } from '../../../core/limits.js';
import { isObject } from '../envelope.js';
import { invalidParams, serverError } from '../errors.js';
import { failed, type Method, method, ok } from '../method.js';
import { type BlockRef, blockRef, LATEST } from '../params/block-ref.js';
import { type TransactionArguments, transactionArguments } from '../params/call-arguments.js';
import { looseNumber } from '../params/numbers.js';
import { decodeBlockOverrides, NO_OVERRIDES, stateOverrides } from '../params/overrides.js';
import { bad, type Decoded, good, kindOf, type Param, required, withDefault } from '../params/param.js';
import { resolveState } from '../resolve.js';
import { runSequence, tracedCall } from './sequence.js';

interface Bundle {
  readonly block: EthereumBlockOverrides;
  readonly calls: readonly TransactionArguments[];
}

const bundles: Param<readonly Bundle[]> = required('bundles', (value) => {
  if (!Array.isArray(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type []Bundle`);
  if (value.length > ETHEREUM_LIMITS.simulatedBlocks)
    return bad(`limit simulatedBlocks (${ETHEREUM_LIMITS.simulatedBlocks}) exceeded`);
  const decoded: Bundle[] = [];
  for (const item of value) {
    const bundle = decodeBundle(item);
    if (!bundle.ok) return bundle;
    decoded.push(bundle.value);
  }
  return decoded.length === 0 ? bad('bundles are empty.') : good(decoded);
});

function decodeBundle(value: unknown): Decoded<Bundle> {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type Bundle`);
  const { transactions, blockOverride = null } = value;
  if (!Array.isArray(transactions))
    return bad(`json: cannot unmarshal ${kindOf(transactions)} into Go struct field Bundle.transactions`);
  const block = blockOverride === null ? good({}) : decodeBlockOverrides(blockOverride);
  if (!block.ok) return block;
  const most = ETHEREUM_LIMITS.simulatedCallsOfBlock;
  if (transactions.length > most) return bad(`limit simulatedCallsOfBlock (${most}) exceeded`);
  const calls: TransactionArguments[] = [];
  for (const transaction of transactions) {
    const call = transactionArguments.decode(transaction);
    if (!call.ok) return call;
    calls.push(call.value);
  }
  return good({ block: block.value, calls });
}

/** The block, behind whose transactions the calls run: `transactionIndex` is absent or -1. */
const stateContext: Param<BlockRef> = required('state context', (value) => {
  if (!isObject(value)) return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type StateContext`);
  const { blockNumber: block = null, transactionIndex: index = null } = value;
  if (index !== null && index !== -1 && index !== '-1')
    return bad(
      looseNumber(index) === undefined
        ? 'transactionIndex is not a number'
        : 'transactionIndex is not supported for eth_callMany yet',
    );
  return block === null ? good(LATEST) : blockRef.decode(block);
});

export const callManyMethods: readonly Method[] = [
  method(
    'eth_callMany',
    [bundles, withDefault(stateContext, LATEST), withDefault(stateOverrides, NO_OVERRIDES)],
    async ([asked, ref, state], context) => {
      const { api } = context;
      if (!state.ok) return failed(serverError(state.message));
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      const blocks: { readonly block: EthereumBlockOverrides; readonly calls: readonly TracedCall[] }[] = [];
      for (const { block, calls } of asked) {
        const traced: TracedCall[] = [];
        for (const args of calls) {
          const call = tracedCall(api, args);
          if (!call.ok) return failed(invalidParams(call.error.message));
          traced.push(call.value);
        }
        blocks.push({ block, calls: traced });
      }
      const sequence = { accounts: state.overrides, blocks, validation: false };
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
