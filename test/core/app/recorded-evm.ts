/** Types and helpers for recorded blocks, writes and results that the EVM tests read. */
import { fromBinary } from '@bufbuild/protobuf';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import { TxMsgDataSchema } from '../../../src/core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import {
  MsgEthereumTxResponseSchema,
  type MsgEthereumTxResponse,
} from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import type { StateStore } from '../../../src/core/state/state.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { crypto, fromBase64, fromHex } from './support.js';

export interface RecordedEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}
export interface RecordedResult {
  readonly code: number;
  readonly log: string;
  readonly data: string | null;
  readonly gas_used: string;
  readonly gas_wanted: string;
  readonly events: readonly RecordedEvent[];
}
export interface RecordedBlock {
  readonly height: number;
  readonly block: {
    readonly block_id: { readonly hash: string };
    readonly block: {
      readonly header: { readonly time: string; readonly proposer_address: string };
      readonly data: { readonly txs: readonly string[] };
    };
  };
  readonly block_results?: {
    readonly txs_results: readonly RecordedResult[] | null;
    readonly finalize_block_events: readonly RecordedEvent[];
  };
}
export interface RecordedWrites {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}
export interface RecordedStep {
  readonly step: string;
  readonly receipt?: { readonly blockNumber: string } | null;
}

export const chain = {
  chainId: '9001',
  evmChainId: 262144n,
  bech32Prefix: 'cosmos',
  baseDenom: 'atest',
  minGasPrice: 0n,
} as const;
const ours = new Set(['auth', 'bank', 'consensus', 'upgrade', 'evm', 'feemarket']);
/** The preset evmd with only these modules: enough for transactions that call no Cosmos precompile. */
export const version = { ...evmd, initOrder: evmd.initOrder.filter((name) => ours.has(name)) };
export const newApp = () =>
  createApplication({ version, chain, crypto, evm: createEngineFactory(loadEngineModule(), crypto) });

export const shown = (events: readonly RecordedEvent[]): readonly string[] =>
  events.map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => `${key}=${value}`)].join(' '));

/** Nanoseconds of a recorded RFC 3339 time. */
export function timeOf(text: string): bigint {
  const [seconds = '', fraction = ''] = text.replace('Z', '').split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

export function applyWrites(state: StateStore, { writes }: RecordedWrites): void {
  for (const [store, changes] of Object.entries(writes)) {
    for (const [key, value] of changes) {
      if (value === null) state.delete(store, fromHex(key));
      else state.set(store, fromHex(key), fromHex(value));
    }
  }
}

export const isEthereum = (tx: string): boolean => Buffer.from(tx, 'base64').includes('cosmos.evm.vm.v1.MsgEthereumTx');

/** Decodes the response of an Ethereum transaction from the data of its result. */
export function responseOf(data: Uint8Array): MsgEthereumTxResponse {
  const [message] = fromBinary(TxMsgDataSchema, data).msgResponses;
  if (message === undefined) throw new Error('no response');
  return fromBinary(MsgEthereumTxResponseSchema, message.value);
}

export const dataOf = (result: { readonly data: string | null }): Uint8Array => fromBase64(result.data ?? '');
