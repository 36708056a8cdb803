/** Every decoder of bytes and texts that come from outside, with the sources that it is made of. */
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { readRequest as readAbciRequest } from '../../src/adapters/abci/answer.js';
import { frame, FrameReader, MalformedMessage } from '../../src/adapters/abci/frames.js';
import { blockOf, initChainOf } from '../../src/adapters/abci/read-request.js';
import { readRequest } from '../../src/adapters/comet-rpc/json-rpc.js';
import { readMessages } from '../../src/adapters/eth-rpc/envelope.js';
import { decodeCriteria as decodeLogCriteria } from '../../src/adapters/eth-rpc/params/criteria.js';
import type { Decoded } from '../../src/adapters/eth-rpc/params/param.js';
import { simulationArguments } from '../../src/adapters/eth-rpc/params/simulation.js';
import { FrameHeaders } from '../../src/adapters/grpc/frame-headers.js';
import { decodeRlp } from '../../src/core/ethereum/rlp.js';
import { decodeTransaction } from '../../src/core/ethereum/transaction-codec.js';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { parseGenesis } from '../../src/core/genesis/genesis-document.js';
import { exceededJsonBound, hasMoreJsonParts } from '../../src/core/text/json-parts.js';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { toHeight, toPosition, toTimeNs } from '../../src/core/primitives.js';
import { RequestSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockIDFlag } from '../../src/core/proto/tendermint/types/validator_pb.js';
import { parseQuery } from '../../src/core/query/index.js';
import { decodeTx } from '../../src/core/sdk/codec/decode-tx.js';
import { SdkError } from '../../src/core/sdk/module/sdk-error.js';
import { readToml } from '../../src/config/toml.js';
import { decodeHeightRow, decodeTxHashRow } from '../../src/store/log/block-index.js';
import { ByteReader, ByteWriter, FormatError } from '../../src/store/bytes.js';
import { decodeCheckpoint } from '../../src/store/log/checkpoint.js';
import { CorruptionError } from '../../src/store/errors.js';
import { decodeCriteria, encodeCriteria } from '../../src/store/filters/criteria-codec.js';
import { decodeHead, EMPTY_HEAD, encodeHead } from '../../src/store/log/head.js';
import { baseOf, readDelta, writeDelta } from '../../src/store/packing/delta.js';
import { decodeRows } from '../../src/store/log/read-records.js';
import { encodeRecord } from '../../src/store/log/record.js';
import { parseRecordLine, recordLine } from '../../src/store/log/record-lines.js';
import { openRow, sealRows } from '../../src/store/rows/row.js';
import { unpackSnappy } from '../../src/store/leveldb/snappy.js';
import { packTrace, unpackTrace } from '../../src/store/codec/trace-codec.js';
import { crypto } from '../core/app/support.js';
import { ACCOUNTS, signedEthereum, signedSend } from '../e2e/load.js';
import { decidedWithNotices } from '../store/support.js';

export interface Decoder {
  /** File name of its kept inputs. */
  readonly corpus: string;
  /** Sources whose coverage is printed. */
  readonly sources: readonly string[];
  /** Valid inputs. */
  readonly samples: readonly Uint8Array[];
  /** Returns the decoded value, or the reason for a refusal as text. */
  readonly decode: (bytes: Uint8Array) => object | string;
  /** Error classes of its refusals. */
  readonly refusals: readonly (abstract new (...parts: never[]) => Error)[];
}

const answerOf = (result: { readonly ok: true } | { readonly ok: false; readonly message: string }): object | string =>
  result.ok ? result : result.message;

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const base64 = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'base64'));
const hexBytes = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value.replace(/^0x/, ''), 'hex'));

/** A decoder of an Ethereum parameter; its text was bounded before it was parsed. */
const parameter =
  (decode: (value: unknown) => Decoded<unknown>) =>
  (bytes: Uint8Array): object | string =>
    exceededJsonBound(text(bytes), DEFAULT_LIMITS) ?? answerOf(decode(JSON.parse(text(bytes))));

const cosmos = [0n, 1n, 2n].map((sequence) => base64(signedSend(0, sequence).tx));
const wrapped = [0n, 1n, 2n].map((nonce) => base64(signedEthereum(1, nonce).tx));
const raw = [0n, 1n, 2n].map((nonce) => hexBytes(signedEthereum(1, nonce).ethereum?.raw ?? ''));
const genesis = devGenesis(crypto, {
  chainId: 'chronicle_271828-1',
  time: toTimeNs(1_000_000_000n),
  accounts: ACCOUNTS.slice(0, 1).map(({ bech32 }) => bech32),
  validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1n, name: 'v' }],
});
const difference = new ByteWriter();
writeDelta(difference, cosmos[1] ?? new Uint8Array(), baseOf(cosmos[0] ?? new Uint8Array()), new Uint8Array());
const record = encodeRecord(
  [
    {
      position: toPosition(5n),
      stream: 'mempool',
      streamPosition: 1n,
      time: toTimeNs(7n),
      cause: 'c',
      event: { type: 'TxAdmitted', v: 2, data: { tx: cosmos[0] ?? new Uint8Array(), left: [] } },
    },
  ],
  new Uint8Array(32),
  crypto,
);
const decided = encodeRecord(
  [
    {
      position: toPosition(5n),
      stream: 'chain',
      streamPosition: 1n,
      time: toTimeNs(7n),
      cause: 'c',
      event: {
        type: 'BlockDecided',
        v: 2,
        data: {
          height: toHeight(5n),
          block: new Uint8Array(),
          hash: new Uint8Array(32),
          lastCommit: new Uint8Array(),
          misbehavior: [Uint8Array.of(8, 1)],
        },
      },
    },
    {
      position: toPosition(6n),
      stream: 'chain',
      streamPosition: 2n,
      time: toTimeNs(7n),
      cause: 'c',
      event: {
        type: 'BlockExecuted',
        v: 2,
        data: {
          height: toHeight(5n),
          results: new Uint8Array(),
          appHash: new Uint8Array(32),
          upgradeHeight: undefined,
          writes: [],
        },
      },
    },
  ],
  new Uint8Array(32),
  crypto,
);
const criteria = new ByteWriter();
encodeCriteria(
  {
    kind: 'logs',
    criteria: {
      fromBlock: undefined,
      toBlock: undefined,
      addresses: [new Uint8Array(20)],
      topics: [[new Uint8Array(32)], []],
    },
  },
  criteria,
);
const KEY = Uint8Array.of(1, 2, 3);
const rounds = new ByteWriter();
packTrace(decidedWithNotices(5n).data.trace, rounds);
const checkpoint = new ByteWriter();
checkpoint.uint(300n);
checkpoint.raw(new Uint8Array(32));

const time = { seconds: 1_700_000_000n, nanos: 5 };
const votes = [
  { validator: { address: new Uint8Array(20), power: 10n }, blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT },
];
const abciBlock = {
  height: 5n,
  time,
  txs: cosmos,
  misbehavior: [{ type: 1, height: 3n, time, totalVotingPower: 10n }],
};
const abciRequests: readonly NonNullable<MessageInitShape<typeof RequestSchema>['value']>[] = [
  { case: 'initChain', value: { chainId: 'a_1-1', time, initialHeight: 1n, appStateBytes: bytesOf('{}') } },
  { case: 'prepareProposal', value: { ...abciBlock, maxTxBytes: 100n, localLastCommit: { round: 1, votes } } },
  { case: 'finalizeBlock', value: { ...abciBlock, decidedLastCommit: { round: 1, votes } } },
  { case: 'query', value: { path: '/store/bank/key', data: KEY, height: 3n, prove: true } },
];

/** By name. */
export const decoders: Readonly<Record<string, Decoder>> = {
  'Ethereum transactions': {
    corpus: 'ethereum-transactions',
    sources: ['core/ethereum/transaction-codec.ts', 'core/ethereum/transaction-fields.ts'],
    samples: raw,
    decode: (bytes) => answerOf(decodeTransaction(bytes)),
    refusals: [],
  },
  RLP: {
    corpus: 'rlp',
    sources: ['core/ethereum/rlp.ts'],
    samples: raw.map((bytes) => ((bytes[0] ?? 0) > 0x7f ? bytes : bytes.subarray(1))),
    decode: (bytes) => answerOf(decodeRlp(bytes)),
    refusals: [],
  },
  'Cosmos transactions': {
    corpus: 'cosmos-transactions',
    sources: ['core/sdk/codec/decode-tx.ts'],
    samples: [...cosmos, ...wrapped],
    decode: (bytes) => decodeTx(bytes),
    refusals: [SdkError],
  },
  'requests of the Ethereum face': {
    corpus: 'ethereum-requests',
    sources: ['adapters/eth-rpc/envelope.ts', 'adapters/raw-json.ts', 'core/text/json-parts.ts'],
    samples: [
      '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"data":"0x"},"latest"]}',
      '[{"jsonrpc":"2.0","id":"a\\u0062","method":"eth_chainId"}, {"method":"net_version","params":[]}]',
    ].map(bytesOf),
    decode(bytes) {
      const incoming = readMessages(text(bytes), DEFAULT_LIMITS);
      if (incoming.kind === 'refused') return incoming.error.message;
      if (incoming.kind === 'oversized') return incoming.kind;
      const messages = incoming.kind === 'single' ? [incoming.message] : incoming.messages;
      const [invalid] = messages.filter((message) => message.kind === 'invalid');
      return invalid?.error.message ?? incoming;
    },
    refusals: [],
  },
  'criteria of logs': {
    corpus: 'log-criteria',
    sources: ['adapters/eth-rpc/params/criteria.ts', 'adapters/eth-rpc/params/block-ref.ts'],
    samples: [
      `{"fromBlock":"0x1","toBlock":"latest","address":"0x${'11'.repeat(20)}"}`,
      `{"blockHash":"0x${'22'.repeat(32)}","address":["0x${'11'.repeat(20)}"],"topics":[null,["0x${'33'.repeat(32)}"]]}`,
    ].map(bytesOf),
    decode: parameter(decodeLogCriteria),
    refusals: [SyntaxError],
  },
  'arguments of simulations': {
    corpus: 'simulations',
    sources: ['simulation', 'call-arguments', 'overrides', 'fields', 'hex'].map(
      (name) => `adapters/eth-rpc/params/${name}.ts`,
    ),
    samples: [
      `{"blockStateCalls":[{"blockOverrides":{"number":"0x5","time":"0x6"},"stateOverrides":{"0x${'11'.repeat(20)}":{"balance":"0x1","nonce":"0x2","code":"0x00"}},"calls":[{"from":"0x${'11'.repeat(20)}","to":null,"gas":"0x5208","value":"0x0","input":"0x","accessList":[]}]}],"validation":true}`,
    ].map(bytesOf),
    decode: parameter((value) => simulationArguments.decode(value)),
    refusals: [SyntaxError],
  },
  'requests of the consensus face': {
    corpus: 'consensus-requests',
    sources: ['adapters/comet-rpc/json-rpc.ts', 'adapters/raw-json.ts'],
    samples: [
      '{"jsonrpc":"2.0","id":-1,"method":"block","params":{"height":"5"}}',
      '{"id":"x","method":"abci_query","params":["/store/bank/key","00ff","0",true, 1.5e3, null]}',
    ].map(bytesOf),
    decode(bytes) {
      const envelope = readRequest(text(bytes), DEFAULT_LIMITS);
      return envelope.ok ? envelope : `${envelope.error.message} ${envelope.error.data ?? ''}`;
    },
    refusals: [],
  },
  'frames of HTTP/2': {
    corpus: 'http2-frames',
    sources: ['adapters/grpc/frame-headers.ts'],
    samples: [
      Uint8Array.of(
        ...bytesOf('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
        0,
        0,
        2,
        4,
        0,
        0,
        0,
        0,
        0,
        7,
        7,
        0,
        0,
        0,
        1,
        5,
        0,
        0,
        0,
        1,
      ),
    ],
    decode(bytes) {
      const headers = new FrameHeaders();
      const types: number[] = [];
      for (let next = headers.next(bytes, 0); next !== undefined; next = headers.next(bytes, next.at))
        types.push(next.type);
      return types.length === 0 ? 'no frame' : types;
    },
    refusals: [],
  },
  'frames of ABCI': {
    corpus: 'abci-frames',
    sources: ['adapters/abci/frames.ts'],
    samples: [Uint8Array.of(...frame(bytesOf('one')), ...frame(new Uint8Array(200)), ...frame(bytesOf('two')))],
    decode(bytes) {
      const reader = new FrameReader(1_000);
      const messages = [0, 1, 2].flatMap((part) => [...reader.push(bytes.subarray(part * 70, part * 70 + 70))]);
      return messages.length === 0 ? 'no message' : messages;
    },
    refusals: [MalformedMessage],
  },
  'requests of ABCI': {
    corpus: 'abci-requests',
    sources: ['adapters/abci/read-request.ts'],
    samples: abciRequests.map((value) => toBinary(RequestSchema, create(RequestSchema, { value }))),
    decode(bytes) {
      const request = readAbciRequest(bytes);
      if (request.case === 'initChain') return initChainOf(request.value);
      const isBlock = request.case === 'finalizeBlock' || request.case === 'processProposal';
      return isBlock ? blockOf(request.value) : request;
    },
    refusals: [MalformedMessage],
  },
  queries: {
    corpus: 'queries',
    sources: ['core/query/parser.ts', 'core/query/scanner.ts', 'core/query/time.ts', 'core/query/decimal.ts'],
    samples: [
      "tm.event='Tx' AND tx.height>5 AND transfer.amount CONTAINS '1'",
      'block.height >= 10 AND message.time > TIME 2013-05-03T14:45:00Z AND a.b EXISTS',
      "account.owner = 'Ivan' AND date = DATE 2020-01-01 AND n < 1.50",
    ].map(bytesOf),
    decode: (bytes) => answerOf(parseQuery(text(bytes))),
    refusals: [],
  },
  genesis: {
    corpus: 'genesis',
    sources: ['core/genesis/genesis-document.ts'],
    samples: [bytesOf(JSON.stringify({ ...genesis, app_state: {} }))],
    decode: (bytes) => answerOf(parseGenesis(JSON.parse(text(bytes)))),
    refusals: [SyntaxError],
  },
  'configuration files': {
    corpus: 'configuration',
    sources: ['config/toml.ts'],
    samples: [
      '[log]\nsync = "block"\nlevel = "info"\n[json-rpc]\nenable = true\n',
      'home = "x"\nlist = [1, 2, "three"]\n[a.b]\nc = 1979-05-27T07:32:00Z\n',
    ].map(bytesOf),
    decode: (bytes) => answerOf(readToml('chronicled.toml', text(bytes))),
    refusals: [],
  },
  'the count of parts of JSON': {
    corpus: 'json-parts',
    sources: ['core/text/json-parts.ts'],
    samples: ['[{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"data":"0x"},"latest"]}]'].map(bytesOf),
    decode: (bytes) => (hasMoreJsonParts(text(bytes), 40) ? 'more parts' : bytes),
    refusals: [],
  },
  records: {
    corpus: 'records',
    sources: [
      'store/log/read-records.ts',
      'store/log/record.ts',
      'store/codec/event-codec.ts',
      'store/codec/block-event-codec.ts',
    ],
    samples: record.rows.map(({ value }) => value),
    decode: (bytes) =>
      decodeRows(
        record.rows.map((row, index) => (index === 0 ? { ...row, value: bytes } : row)),
        toPosition(5n),
        crypto,
      ),
    refusals: [CorruptionError],
  },
  'records behind an engine': {
    corpus: 'engine-records',
    sources: ['store/codec/event-codec.ts', 'store/codec/block-event-codec.ts'],
    samples: decided.rows.map(({ value }) => value),
    decode: (bytes) =>
      decodeRows(
        decided.rows.map((row, index) => (index === 0 ? { ...row, value: bytes } : row)),
        toPosition(5n),
        crypto,
      ),
    refusals: [CorruptionError],
  },
  'lines of an exported log': {
    corpus: 'log-lines',
    sources: ['store/log/record-lines.ts'],
    samples: [bytesOf(recordLine({ ...decodeRows(record.rows, toPosition(5n), crypto), rows: record.rows }))],
    decode: (bytes) => parseRecordLine(text(bytes)) ?? 'no record',
    refusals: [],
  },
  'rows with their checksums': {
    corpus: 'rows',
    sources: ['store/rows/row.ts'],
    samples: sealRows([{ type: 'put', key: KEY, value: cosmos[0] ?? new Uint8Array() }]).flatMap((row) =>
      row.type === 'put' ? [row.value] : [],
    ),
    decode: (bytes) => openRow(KEY, bytes),
    refusals: [CorruptionError],
  },
  'rows by their difference': {
    corpus: 'differences',
    sources: ['store/packing/difference.ts'],
    samples: [difference.finish()],
    decode: (bytes) => readDelta(new ByteReader(bytes), cosmos[0] ?? new Uint8Array(), new Uint8Array(), 4_096),
    refusals: [FormatError],
  },
  'rows of heights': {
    corpus: 'height-rows',
    sources: ['store/log/block-index.ts'],
    samples: [Uint8Array.of(5, 0, 5, 1), Uint8Array.of(0x80, 1, 3)],
    decode: (bytes) => decodeHeightRow(bytes),
    refusals: [CorruptionError],
  },
  'rows of transactions': {
    corpus: 'transaction-rows',
    sources: ['store/log/block-index.ts'],
    samples: [Uint8Array.of(5, 0), Uint8Array.of(0x80, 1, 3)],
    decode: (bytes) => decodeTxHashRow(bytes),
    refusals: [CorruptionError],
  },
  'the head of the log': {
    corpus: 'heads',
    sources: ['store/log/head.ts'],
    samples: [encodeHead({ ...EMPTY_HEAD, position: toPosition(300n), record: toPosition(299n) })],
    decode: (bytes) => decodeHead(bytes),
    refusals: [CorruptionError],
  },
  'checkpoints of the log': {
    corpus: 'checkpoints',
    sources: ['store/log/checkpoint.ts'],
    samples: [checkpoint.finish()],
    decode: (bytes) => decodeCheckpoint(bytes),
    refusals: [CorruptionError],
  },
  'criteria of filters': {
    corpus: 'filter-criteria',
    sources: ['store/filters/criteria-codec.ts'],
    samples: [criteria.finish()],
    decode: (bytes) => decodeCriteria(new ByteReader(bytes)),
    refusals: [FormatError],
  },
  'rounds of a height': {
    corpus: 'rounds',
    sources: ['store/codec/trace-codec.ts'],
    samples: [rounds.finish()],
    decode: (bytes) => unpackTrace(new ByteReader(bytes), toHeight(5n)),
    refusals: [FormatError],
  },
  'packed blocks of tables': {
    corpus: 'packed-blocks',
    sources: ['store/leveldb/snappy.ts'],
    samples: [Uint8Array.of(15, 40, ...bytesOf('hello world'), 1, 5), Uint8Array.of(3, 8, 97, 98, 99)],
    decode: (bytes) => unpackSnappy(bytes, 1 << 20),
    refusals: [FormatError],
  },
};
