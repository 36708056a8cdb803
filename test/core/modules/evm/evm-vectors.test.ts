/**
 * golden/tx-vectors/ethereum.jsonl: the wrapping transaction byte for byte and both hashes; then all of them executed
 * in order over the genesis accounts with the recorded balance, nonce and base fee of the sender. The tests depend only
 * on recorded state.
 */
import { readFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { decodeTransaction } from '../../../../src/core/ethereum/transaction-codec.js';
import { parseGenesis } from '../../../../src/core/genesis/genesis-document.js';
import { wrapEthereumTransaction } from '../../../../src/core/modules/evm/ethereum-message.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { goldenLines, goldenPath, hasGolden } from '../../../support/golden.js';
import { dataOf, newApp, responseOf, shown, type RecordedEvent, type RecordedResult } from '../../app/recorded-evm.js';
import { crypto, fromBase64, fromHex, stateOf, toHex, PLAIN_BLOCK } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

interface Vector {
  readonly name: string;
  readonly from: string;
  readonly nonce: number;
  readonly raw_rlp: string;
  readonly eth_hash: string;
  readonly cosmos_tx_base64: string;
  readonly cosmos_hash: string;
  readonly height: string;
  readonly result: RecordedResult;
  readonly sender_balance_before_block: string;
  readonly sender_balance_after_block: string;
  readonly finalize_block_events: readonly RecordedEvent[];
}

const unprefixed = (text: string): Uint8Array => fromHex(text.replace(/^0x/, ''));
const vectors = hasGolden
  ? goldenLines<Vector>('tx-vectors/ethereum.jsonl').filter(
      ({ cosmos_tx_base64: tx }) => (tx as string | undefined) !== undefined,
    )
  : [];

describe.skipIf(!hasGolden)('recorded MsgEthereumTx vectors', () => {
  it.each(vectors)(
    '$name has the recorded wrapping bytes and both hashes',
    ({ raw_rlp, from, cosmos_tx_base64, cosmos_hash, eth_hash }) => {
      const raw = unprefixed(raw_rlp);
      const decoded = decodeTransaction(raw);
      if (!decoded.ok) throw new Error(decoded.message);
      const wrapped = wrapEthereumTransaction(raw, decoded.transaction, unprefixed(from), 'atest');
      expect(Buffer.from(wrapped).toString('base64')).toBe(cosmos_tx_base64);
      expect(toHex(crypto.sha256(wrapped)).toUpperCase()).toBe(cosmos_hash);
      expect(`0x${toHex(crypto.keccak256(raw))}`).toBe(eth_hash);
    },
  );

  it('give the recorded code, gas, data, logs, events and balance when executed in order', () => {
    const genesis = parseGenesis(JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8')));
    if (!genesis.ok) throw new Error(genesis.message);
    const app = newApp();
    const { writes } = app.initChain(genesis.genesis);
    const state = stateOf(writes);
    const params = fromBinary(ParamsSchema, state.get('feemarket', Buffer.from('Params')) ?? new Uint8Array(0));
    for (const vector of vectors) {
      const sender = unprefixed(vector.from);
      const recordedResponse = responseOf(dataOf(vector.result));
      const baseFee =
        vector.finalize_block_events.find(({ type }) => type === 'fee_market')?.attributes[0]?.value ?? '';
      // The enable height keeps the start of the block from changing the recorded base fee.
      const height = BigInt(vector.height);
      state.set(
        'feemarket',
        Buffer.from('Params'),
        encode(ParamsSchema, { ...params, baseFee: baseFee.replace('.', ''), enableHeight: height }),
      );
      const balanceKey = Buffer.concat([Buffer.from([2, 20]), sender, Buffer.from('atest')]);
      state.set('bank', balanceKey, Buffer.from(vector.sender_balance_before_block));
      const result = app.finalizeBlock(state, {
        ...PLAIN_BLOCK,
        height: toHeight(height),
        time: toTimeNs(recordedResponse.blockTimestamp * 1_000_000_000n),
        chainId: '9001',
        hash: recordedResponse.blockHash,
        txs: [fromBase64(vector.cosmos_tx_base64)],
      });
      if (result.kind !== 'executed') throw new Error(result.reason);
      const [got] = result.results.txResults;
      if (got === undefined) throw new Error('no result');
      const response = got.code === 0 ? responseOf(got.data) : undefined;
      expect({
        name: vector.name,
        code: got.code,
        log: got.log,
        used: String(got.gasUsed),
        ret: toHex(response?.ret ?? new Uint8Array(0)),
        vmError: response?.vmError,
        maxUsedGas: response?.maxUsedGas,
        logs: response?.logs,
        events: shown(got.events),
      }).toEqual({
        name: vector.name,
        code: vector.result.code,
        log: vector.result.log,
        used: vector.result.gas_used,
        ret: toHex(recordedResponse.ret),
        vmError: recordedResponse.vmError,
        maxUsedGas: recordedResponse.maxUsedGas,
        logs: recordedResponse.logs,
        events: shown(vector.result.events),
      });
      for (const { store, key, value } of result.writes) {
        if (value === undefined) state.delete(store, key);
        else state.set(store, key, value);
      }
      expect([vector.name, Buffer.from(state.get('bank', balanceKey) ?? '').toString()]).toEqual([
        vector.name,
        vector.sender_balance_after_block,
      ]);
    }
    expect(vectors.length).toBe(14);
  });
});
