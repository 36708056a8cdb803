/**
 * `eth_callBundle` of Flashbots (https://docs.flashbots.net/flashbots-auction/advanced/rpc-endpoint#eth_callbundle),
 * with the rules of anvil after 1.7.1 (foundry, master of August 2026, `crates/anvil/src/eth/backend/mem/mod.rs`):
 * executes signed transactions in one block. If one is rejected, the bundle fails.
 */
import type { EthereumBlockOverrides } from '../../../core/ethereum/call.js';
import type { SequencedCall } from '../../../core/ethereum/call-sequence.js';
import { concatAll } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { ETHEREUM_LIMITS, FIXED_LIMITS } from '../../../core/limits/limits.js';
import { isObject } from '../../../core/text/json-object.js';
import { invalidParams } from '../errors.js';
import { failed, type Method, method, type MethodContext, ok } from '../method.js';
import { type BlockNumberRef, blockNumber, isPending, LATEST } from '../params/block-ref.js';
import { address, fieldOf, fieldsOf, looseQuantity } from '../params/fields.js';
import { data } from '../params/hex.js';
import { looseNumber } from '../params/numbers.js';
import { bad, type Decoded, decodeEach, good, type Param, present, required, wrongKind } from '../params/param.js';
import { type Resolved, resolveState } from '../resolve.js';
import * as schema from '../schema.js';
import { runSequence, type SequenceDone, signedCall, type SignedCall } from './sequence.js';

const { bundleTransactions: maximum } = ETHEREUM_LIMITS;
const { ethSignersPerTurn: perTurn } = FIXED_LIMITS;
/** Default time in seconds between the state's block and the bundle's block. */
const BLOCK_SECONDS = 12n;

interface Bundle {
  readonly raws: readonly Uint8Array[];
  readonly number: bigint;
  readonly state: BlockNumberRef;
  readonly overrides: EthereumBlockOverrides;
}

/** Block fields of the bundle, without the number. */
const FIELDS = fieldsOf('EthCallBundle', {
  stateBlockNumber: fieldOf(blockNumber),
  coinbase: address,
  timestamp: looseQuantity,
  gasLimit: looseQuantity,
  baseFee: looseQuantity,
});

const BUNDLE: schema.Schema = {
  title: 'Bundle',
  ...schema.objectOf(
    {
      txs: { ...schema.listOf(schema.DATA, maximum), minItems: 1 },
      blockNumber: schema.anyOf(
        { type: 'string', pattern: '^0x[1-9a-fA-F][0-9a-fA-F]{0,15}$' },
        { ...schema.COUNT, minimum: 1 },
      ),
      ...FIELDS.schemas,
    },
    ['txs', 'blockNumber'],
  ),
};

function decodeBundle(value: unknown): Decoded<Bundle> {
  if (!isObject(value)) return wrongKind(value, 'EthCallBundle');
  const { txs } = value;
  if (!Array.isArray(txs) || txs.length === 0) return bad('bundle missing txs');
  if (txs.length > maximum) return bad(`limit bundleTransactions (${maximum}) exceeded`);
  const raws = decodeEach(txs, (tx: unknown) => data.decode(tx));
  if (!raws.ok) return raws;
  const number = looseNumber(value['blockNumber']);
  if (number === undefined || number === 0n) return bad('bundle missing blockNumber');
  const read = FIELDS.read(value);
  if (!read.ok) return read;
  const { stateBlockNumber: state = LATEST, ...overrides } = read.value;
  return good({ raws: raws.value, number, state, overrides: present(overrides) });
}

const bundle: Param<Bundle> = {
  ...required('bundle', BUNDLE, decodeBundle),
  isPending: ({ state }) => isPending(state),
};

/** Schema of an amount of wei in decimal digits. */
const DECIMAL: schema.Schema = { type: 'string', pattern: '^[0-9]+$' };
/** Payments of a transaction, or the totals of all. */
const PAID = { coinbaseDiff: DECIMAL, ethSentToCoinbase: DECIMAL, gasFees: DECIMAL };
const ONE = {
  ...PAID,
  fromAddress: schema.ADDRESS,
  gasPrice: DECIMAL,
  gasUsed: schema.COUNT,
  toAddress: schema.orNull(schema.ADDRESS),
  txHash: schema.HASH,
};
const DONE = schema.objectOf({
  ...PAID,
  bundleGasPrice: DECIMAL,
  bundleHash: schema.HASH,
  results: schema.listOf(schema.objectOf({ ...ONE, value: schema.DATA, revert: schema.DATA }, Object.keys(ONE))),
  stateBlockNumber: schema.COUNT,
  totalGasUsed: schema.COUNT,
});

export const callBundleMethods: readonly Method[] = [
  method(
    'eth_callBundle',
    'Executes signed transactions in one block, and sends none',
    [bundle],
    DONE,
    async ([request], context) => {
      const { api, crypto } = context;
      const height = resolveState(api, request.state);
      if (!height.ok) return failed(height.error);
      const recovered = await signedCalls(request.raws, context);
      if (!recovered.ok) return failed(recovered.error);
      const { value: signed } = recovered;
      const block: EthereumBlockOverrides = {
        timestamp: (api.block(height.value)?.timestamp ?? 0n) + BLOCK_SECONDS,
        ...request.overrides,
        number: request.number,
      };
      const calls = signed.map(({ call }) => call);
      const done = await runSequence(
        context,
        { accounts: [], blocks: [{ block, calls }], validation: true },
        height.value,
      );
      if (!done.ok) return failed(done.error);
      const bundleHash = hexData(crypto.keccak256(concatAll(signed.map(({ hash }) => hash))));
      return ok(JSON.stringify({ bundleHash, ...shown(done.value, signed), stateBlockNumber: Number(height.value) }));
    },
  ),
];

async function signedCalls(
  raws: readonly Uint8Array[],
  context: MethodContext,
): Promise<Resolved<readonly SignedCall[]>> {
  const signed: SignedCall[] = [];
  for (const [index, raw] of raws.entries()) {
    if (index > 0 && index % perTurn === 0) await context.timers.yield();
    const one = signedCall(context, raw);
    if (!one.ok) return { ok: false, error: invalidParams(one.error.message) };
    signed.push(one.value);
  }
  return { ok: true, value: signed };
}

function shown({ blocks: [calls = []], coinbaseBefore }: SequenceDone, signed: readonly SignedCall[]) {
  let before = coinbaseBefore;
  const results = calls.map((call, index) => {
    const result = resultOf(call, signed[index], before);
    before = call.coinbaseBalance;
    return result;
  });
  const coinbaseDiff = above(before, coinbaseBefore);
  const gasFees = calls.reduce((sum, { gasUsed, tip }) => sum + gasUsed * tip, 0n);
  const gasUsed = calls.reduce((sum, call) => sum + call.gasUsed, 0n);
  return {
    bundleGasPrice: String(gasUsed === 0n ? 0n : coinbaseDiff / gasUsed),
    coinbaseDiff: String(coinbaseDiff),
    ethSentToCoinbase: String(above(coinbaseDiff, gasFees)),
    gasFees: String(gasFees),
    results,
    totalGasUsed: Number(gasUsed),
  };
}

function resultOf(
  { from, gasUsed, tip, outcome, coinbaseBalance }: SequencedCall,
  signed: SignedCall | undefined,
  before: bigint,
) {
  const to = signed?.transaction.to;
  const coinbaseDiff = above(coinbaseBalance, before);
  const output = outcome.kind === 'halt' ? '0x' : hexData(outcome.output);
  return {
    coinbaseDiff: String(coinbaseDiff),
    ethSentToCoinbase: String(above(coinbaseDiff, gasUsed * tip)),
    fromAddress: hexData(from),
    gasFees: String(gasUsed * tip),
    gasPrice: String(tip),
    gasUsed: Number(gasUsed),
    toAddress: to === undefined ? null : hexData(to),
    txHash: hexData(signed?.hash ?? new Uint8Array()),
    ...(outcome.kind === 'success' ? { value: output } : { revert: output }),
  };
}

/** The difference, or 0 if it would be negative. */
function above(amount: bigint, other: bigint): bigint {
  return amount > other ? amount - other : 0n;
}
