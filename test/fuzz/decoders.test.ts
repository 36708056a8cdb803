/**
 * Every decoder of bytes and texts that come from outside, with inputs that were valid and then changed. A decoder
 * answers or refuses in its own way; any other error is a defect. CHRONICLED_FUZZ is the number of inputs of each, and
 * CHRONICLE_SEED the beginning of the random sequence.
 */
import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/core/ethereum/transaction-codec.js';
import { decodeRlp } from '../../src/core/ethereum/rlp.js';
import { parseGenesis } from '../../src/core/genesis/genesis-document.js';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { hasMoreJsonParts } from '../../src/core/json-parts.js';
import { toPosition, toTimeNs } from '../../src/core/primitives.js';
import { parseQuery } from '../../src/core/query/index.js';
import { decodeTx } from '../../src/core/sdk/decode-tx.js';
import { SdkError } from '../../src/core/sdk/sdk-error.js';
import { readToml } from '../../src/node/config/toml.js';
import { decodeHeightRow, decodeTxHashRow } from '../../src/store/block-index.js';
import { ByteReader, FormatError } from '../../src/store/bytes.js';
import { CorruptionError } from '../../src/store/errors.js';
import { decodeCriteria, encodeCriteria } from '../../src/store/filters/criteria-codec.js';
import { ByteWriter } from '../../src/store/bytes.js';
import { decodeRows } from '../../src/store/read-records.js';
import { encodeRecord } from '../../src/store/record.js';
import { parseRecordLine, recordLine } from '../../src/store/record-lines.js';
import { openRow, sealRow } from '../../src/store/row.js';
import { unpackSnappy } from '../../src/store/snappy.js';
import { crypto } from '../core/app/support.js';
import { ACCOUNTS, signedEthereum, signedSend } from '../e2e/load.js';

const RUNS = Number(process.env['CHRONICLED_FUZZ'] ?? 2_000);
const SEED = Number(process.env['CHRONICLE_SEED'] ?? randomInt(2 ** 31));

/** Numbers below 2^32 that follow from a seed (xorshift). */
function numbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x20, 0x22, 0x5b, 0x7b];

/** One to four changes: a byte, a bit, a cut, a part twice, a part of another sample. */
function changed(samples: readonly Uint8Array[], next: () => number): Uint8Array {
  let bytes = Uint8Array.from(samples[next() % samples.length] ?? []);
  for (let changes = 1 + (next() % 4); changes > 0; changes -= 1) {
    const at = next() % (bytes.length + 1);
    const other = samples[next() % samples.length] ?? bytes;
    const from = next() % (other.length + 1);
    const part = other.subarray(from, from + (next() % 40));
    switch (next() % 5) {
      case 0:
        if (at < bytes.length) bytes[at] = EDGES[next() % EDGES.length] ?? 0;
        break;
      case 1:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << (next() % 8));
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...part, ...bytes.subarray(at)]);
        break;
      default:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + part.length)]);
    }
  }
  return bytes;
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const base64 = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'base64'));
const hexBytes = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value.replace(/^0x/, ''), 'hex'));

const cosmos = [0n, 1n, 2n].map((sequence) => base64(signedSend(0, sequence).tx));
const wrapped = [0n, 1n, 2n].map((nonce) => base64(signedEthereum(1, nonce).tx));
const raw = [0n, 1n, 2n].map((nonce) => hexBytes(signedEthereum(1, nonce).ethereum?.raw ?? ''));
const genesis = devGenesis({
  chainId: 'chronicle_271828-1',
  time: toTimeNs(1_000_000_000n),
  accounts: ACCOUNTS.map(({ bech32 }) => bech32),
  validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1n, name: 'v' }],
});
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

interface Decoder {
  readonly samples: readonly Uint8Array[];
  /** True when the input was taken, false when it was refused by an answer. */
  readonly decode: (bytes: Uint8Array) => boolean;
  /** Classes of errors by which it refuses. */
  readonly refusals: readonly (abstract new (...parts: never[]) => Error)[];
}

const decoders: Readonly<Record<string, Decoder>> = {
  'Ethereum transactions': { samples: raw, decode: (bytes) => decodeTransaction(bytes).ok, refusals: [] },
  RLP: {
    samples: raw.map((bytes) => ((bytes[0] ?? 0) > 0x7f ? bytes : bytes.subarray(1))),
    decode: (bytes) => decodeRlp(bytes).ok,
    refusals: [],
  },
  'Cosmos transactions': {
    samples: [...cosmos, ...wrapped],
    decode: (bytes) => decodeTx(bytes) !== undefined,
    refusals: [SdkError],
  },
  queries: {
    samples: [
      "tm.event='Tx' AND tx.height>5 AND transfer.amount CONTAINS '1'",
      'block.height >= 10 AND message.time > TIME 2013-05-03T14:45:00Z AND a.b EXISTS',
      "account.owner = 'Ivan' AND date = DATE 2020-01-01 AND n < 1.50",
    ].map(bytesOf),
    decode: (bytes) => parseQuery(text(bytes)).ok,
    refusals: [],
  },
  genesis: {
    samples: [bytesOf(JSON.stringify(genesis))],
    decode: (bytes) => parseGenesis(JSON.parse(text(bytes))).ok,
    refusals: [SyntaxError],
  },
  'configuration files': {
    samples: [
      '[log]\nsync = "block"\nlevel = "info"\n[json-rpc]\nenable = true\n',
      'home = "x"\nlist = [1, 2, "three"]\n[a.b]\nc = 1979-05-27T07:32:00Z\n',
    ].map(bytesOf),
    decode: (bytes) => readToml('chronicled.toml', text(bytes)).ok,
    refusals: [],
  },
  'the count of parts of JSON': {
    samples: ['[{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"data":"0x"},"latest"]}]'].map(bytesOf),
    decode: (bytes) => !hasMoreJsonParts(text(bytes), 40),
    refusals: [],
  },
  records: {
    samples: record.rows.map(({ value }) => value),
    decode: (bytes) =>
      decodeRows(
        record.rows.map((row, index) => (index === 0 ? { ...row, value: bytes } : row)),
        toPosition(5n),
        crypto,
      ) !== undefined,
    refusals: [CorruptionError],
  },
  'lines of an exported log': {
    samples: [bytesOf(recordLine({ ...decodeRows(record.rows, toPosition(5n), crypto), rows: record.rows }))],
    decode: (bytes) => parseRecordLine(text(bytes)) !== undefined,
    refusals: [],
  },
  'rows with their checksums': {
    samples: [sealRow(KEY, cosmos[0] ?? new Uint8Array())],
    decode: (bytes) => openRow(KEY, bytes) !== undefined,
    refusals: [CorruptionError],
  },
  'rows of heights': {
    samples: [Uint8Array.of(5, 0, 5, 1), Uint8Array.of(0x80, 1, 3)],
    decode: (bytes) => decodeHeightRow(bytes) !== undefined,
    refusals: [CorruptionError],
  },
  'rows of transactions': {
    samples: [Uint8Array.of(5, 0), Uint8Array.of(0x80, 1, 3)],
    decode: (bytes) => decodeTxHashRow(bytes) !== undefined,
    refusals: [CorruptionError],
  },
  'criteria of filters': {
    samples: [criteria.finish()],
    decode: (bytes) => decodeCriteria(new ByteReader(bytes)) !== undefined,
    refusals: [FormatError],
  },
  'packed blocks of tables': {
    samples: [Uint8Array.of(15, 40, ...bytesOf('hello world'), 1, 5), Uint8Array.of(3, 8, 97, 98, 99)],
    decode: (bytes) => unpackSnappy(bytes, 1 << 20).length >= 0,
    refusals: [FormatError],
  },
};

describe('decoders', () => {
  const counts: string[] = [];
  afterAll(() => {
    process.stdout.write(`decoders, ${RUNS} inputs each, seed ${SEED}: ${counts.join('; ')}\n`);
  });

  test.each(Object.entries(decoders))(
    'of %s take or refuse what they are given',
    (name, { samples, decode, refusals }) => {
      const next = numbers(SEED + name.length);
      let taken = 0;
      const [sound] = samples;
      expect(sound && decode(sound)).toBe(true);
      for (let run = 0; run < RUNS; run += 1) {
        const bytes = changed(samples, next);
        try {
          if (decode(bytes)) taken += 1;
        } catch (error) {
          if (!refusals.some((refusal) => error instanceof refusal))
            throw new Error(`seed ${SEED}, run ${run}, input ${Buffer.from(bytes).toString('hex').slice(0, 4_000)}`, {
              cause: error,
            });
        }
      }
      counts.push(`${name} ${taken} taken`);
    },
  );
});
