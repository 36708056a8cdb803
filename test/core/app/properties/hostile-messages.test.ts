/**
 * Messages with random contents: a handler executes them or refuses them with an SDK error, never another error, and
 * a block with them keeps every invariant. The long form runs with CHRONICLED_PROPERTY_RUNS.
 */
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { presentModules } from '../../../../src/core/sdk/module/app-version.js';
import { PropertyChain, type Settings } from './chain.js';
import { moduleText, operator, person } from './people.js';
import { play } from './play.js';
import { CODE_POINT } from '../../../support/code-point.js';

const RUNS = Number(process.env['CHRONICLED_PROPERTY_RUNS'] ?? 3);
const SEED = Number(process.env['CHRONICLED_PROPERTY_SEED'] ?? 0xbad);
const TIME_LIMIT = 60 * 60 * 1000;
const DEPTH = 4;

const SETTINGS: Settings = {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '0.010000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};
const registry = messageTypesOf(evmd);
const types = presentModules(evmd)
  .flatMap(({ messages }) => messages)
  .flatMap(({ typeUrl }) => registry.getMessage(typeUrl.slice(1)) ?? [])
  // Ethereum transactions have their own test.
  .filter(({ typeName }) => typeName !== 'cosmos.evm.vm.v1.MsgEthereumTx');
const nested = [
  ...types,
  ...[
    'cosmos.crypto.ed25519.PubKey',
    'cosmos.authz.v1beta1.GenericAuthorization',
    'cosmos.bank.v1beta1.SendAuthorization',
    'cosmos.staking.v1beta1.StakeAuthorization',
    'cosmos.feegrant.v1beta1.BasicAllowance',
    'cosmos.feegrant.v1beta1.PeriodicAllowance',
    'cosmos.feegrant.v1beta1.AllowedMsgAllowance',
    'cosmos.gov.v1beta1.TextProposal',
    'cosmos.evidence.v1beta1.Equivocation',
  ].flatMap((name) => registry.getMessage(name) ?? []),
];

const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...[0, 1, 2].map(person), ...[0, 1].map(operator)) },
  { weight: 3, arbitrary: fc.constantFrom('achr', '1', '1000', '10'.padEnd(20, '0'), '0.5', '1'.padEnd(19, '0')) },
  { weight: 2, arbitrary: fc.constantFrom(moduleText('gov'), moduleText('distribution'), 'm', '{}', '{"title":1}') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      '0',
      '-1',
      '-0',
      '+1',
      ' 1',
      '1e3',
      '0x1f',
      'x',
      '1_0',
      '9'.repeat(78),
      '9'.repeat(400),
      'NaN',
      '1.5',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: CODE_POINT, maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(...types.map(({ typeName }) => `/${typeName}`)) },
);
/** Likely values of text fields, by field name. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^authority$/, moduleText('gov')],
  [/validator.*addr/, operator(0)],
  [/denom$/, 'achr'],
  [/delegator|proposer|voter|depositor|from_address|granter|^sender$/, person(0)],
  [/^amount$/, '1000'],
];
const big: fc.Arbitrary<bigint> = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, -1n, 2n ** 63n - 1n, -(2n ** 63n)),
  fc.bigInt(0n, 100n),
);

interface Message {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** Writes one field; its number is known to the writer. */
type Write = (writer: BinaryWriter) => unknown;

const delimited =
  (no: number, bytes: Uint8Array): Write =>
  (writer) =>
    writer.tag(no, WireType.LengthDelimited).bytes(bytes);
const encode = (writes: readonly Write[]): Uint8Array => {
  const writer = new BinaryWriter();
  for (const write of writes) write(writer);
  return writer.finish();
};

function scalar(no: number, type: ScalarType): fc.Arbitrary<Write> {
  if (type === ScalarType.STRING) return texts.map((text) => delimited(no, new TextEncoder().encode(text)));
  if (type === ScalarType.BYTES)
    return fc
      .oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        texts.map((text) => new TextEncoder().encode(text)),
      )
      .map((bytes) => delimited(no, bytes));
  if (type === ScalarType.BOOL)
    return fc.boolean().map((value) => (writer) => writer.tag(no, WireType.Varint).bool(value));
  if (type === ScalarType.UINT64)
    return big.map((value) => (writer) => writer.tag(no, WireType.Varint).uint64(BigInt.asUintN(64, value)));
  return big.map((value) => (writer) => writer.tag(no, WireType.Varint).int64(value));
}

function anyOf(depth: number): fc.Arbitrary<Uint8Array> {
  const known = fc
    .constantFrom(...nested)
    .chain((desc) => contents(desc, depth).map((value) => ({ typeUrl: `/${desc.typeName}`, value })));
  const garbage = fc.record({ typeUrl: texts, value: fc.uint8Array({ maxLength: 30 }) });
  return fc
    .oneof({ weight: 8, arbitrary: known }, { weight: 1, arbitrary: garbage })
    .map(({ typeUrl, value }) => encode([delimited(1, new TextEncoder().encode(typeUrl)), delimited(2, value)]));
}

/** The bytes of a message; sometimes fields are absent, repeated or unknown. */
function contents(desc: DescMessage, depth: number): fc.Arbitrary<Uint8Array> {
  if (desc.typeName === 'google.protobuf.Any') return anyOf(depth - 1);
  const fields = fc.tuple(...desc.fields.map((field) => fieldOf(field, depth)));
  const unknown = fc.oneof(
    { weight: 30, arbitrary: fc.constant<Write[]>([]) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2000 }).map((no) => [delimited(no, new Uint8Array(3))]) },
  );
  return fc.tuple(fields, unknown).map(([known, others]) => encode([...known.flat(), ...others]));
}

function fieldOf(field: DescField, depth: number): fc.Arbitrary<readonly Write[]> {
  const one = itemOf(field, depth);
  if (one === undefined) return fc.constant([]);
  const most = field.fieldKind === 'list' ? 3 : 1;
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 12, arbitrary: fc.array(one, { minLength: 1, maxLength: most }) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 2 }) },
  );
}

function itemOf(field: DescField, depth: number): fc.Arbitrary<Write> | undefined {
  const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind;
  if (kind === 'message') {
    const { message } = field;
    return message === undefined || depth === 0
      ? undefined
      : contents(message, depth - 1).map((bytes) => delimited(field.number, bytes));
  }
  if (field.scalar === ScalarType.STRING && NAMED.some(([pattern]) => pattern.test(field.name))) {
    const [, likely] = NAMED.find(([pattern]) => pattern.test(field.name)) ?? ['', ''];
    return fc
      .oneof({ weight: 5, arbitrary: fc.constant(likely) }, { weight: 1, arbitrary: texts })
      .map((text) => delimited(field.number, new TextEncoder().encode(text)));
  }
  if (kind === 'enum') return scalar(field.number, ScalarType.INT32);
  return field.scalar === undefined ? undefined : scalar(field.number, field.scalar);
}

it(
  `${types.length} types of messages with random contents cause SDK errors only (${RUNS} histories, seed ${SEED})`,
  () => {
    const told = new Map<string, number>();
    const message = fc
      .constantFrom(...types)
      .chain((desc) => contents(desc, DEPTH).map((value) => ({ typeUrl: `/${desc.typeName}`, value })));
    fc.assert(
      fc.property(
        fc.array(fc.array(message, { minLength: 1, maxLength: 4 }), { minLength: 30, maxLength: 40 }),
        (blocks) => {
          const chain = new PropertyChain(evmd, SETTINGS);
          play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, told);
          for (const messages of blocks) playMessages(chain, messages, told);
          expect(chain.broken()).toEqual([]);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    if (process.env['CHRONICLED_PROPERTY_RUNS'] !== undefined)
      console.log(
        [...told]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, count]) => `${count} ${name}`)
          .join('\n'),
      );
  },
  TIME_LIMIT,
);

/**
 * Executes each message alone, then all in a block, each in a transaction of its signer where the test has that key.
 */
function playMessages(chain: PropertyChain, messages: readonly Message[], told: Map<string, number>): void {
  for (const message of messages) {
    const outcome = chain.attempt(message);
    const name = `${message.typeUrl} ${outcome.replace(/\w{12,}|\d{2,}/g, '_').slice(0, 90)}`;
    told.set(name, (told.get(name) ?? 0) + 1);
  }
  const sent = new Map<number, bigint>();
  const txs = messages.map((message) => {
    const from = chain.signerOf(message);
    const offset = sent.get(from) ?? 0n;
    sent.set(from, offset + 1n);
    return chain.tx(from, [{ $typeName: 'google.protobuf.Any', ...message }], offset);
  });
  expect(chain.block(chain.facts(1n, 0, []), txs).results).toHaveLength(txs.length);
}
