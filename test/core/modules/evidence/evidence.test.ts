import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { upperHex } from '../../../../src/core/bytes/hex.js';
import { evidenceModule } from '../../../../src/core/modules/evidence/module.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { EquivocationSchema } from '../../../../src/core/proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { MsgSubmitEvidenceSchema } from '../../../../src/core/proto/cosmos/evidence/v1beta1/tx_pb.js';
import { MsgUnjailSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { parseAddress } from '../../../../src/core/sdk/codec/address.js';
import { hasGolden } from '../../../support/golden.js';
import { crypto, toHex } from '../../app/support.js';
import { contextOver, entriesIn, exportedSection, FACTS, recordedContext, sends } from '../distribution/support.js';
import { encode } from '../../../support/encode.js';

const ALICE = 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv';
/** The consensus address of the first validator of the recorded chain, which is bonded. */
const BONDED = 'cosmosvalcons19cw2jv596ky59w3wyt7cj0x2clyjfsapgmwnjd';
const send = sends(evidenceModule);
const OFFENCE = { height: 1n, power: 1n, time: { seconds: 1n, nanos: 0 }, consensusAddress: 'cosmosvalcons1' };

function submit(change: object = {}, submitter = ALICE) {
  const evidence = anyPack(EquivocationSchema, create(EquivocationSchema, { ...OFFENCE, ...change }));
  return send(MsgSubmitEvidenceSchema, {
    submitter,
    evidence: { ...evidence, typeUrl: `/${EquivocationSchema.typeName}` },
  });
}

describe('submitted evidence', () => {
  const invalid = (text: string) => ['evidence', 3, `failed basic validation: ${text}: invalid evidence`];
  it.each([
    [
      submit({}, 'bad'),
      ['sdk', 7, 'invalid submitter address: unknown address format: bad: unknown address: invalid address'],
    ],
    [send(MsgSubmitEvidenceSchema, { submitter: ALICE }), ['evidence', 3, 'missing evidence: invalid evidence']],
    [
      send(MsgSubmitEvidenceSchema, {
        submitter: ALICE,
        evidence: { typeUrl: `/${MsgUnjailSchema.typeName}`, value: new Uint8Array(0) },
      }),
      ['evidence', 3, 'missing evidence: invalid evidence'],
    ],
    [
      submit({ time: { seconds: 0n, nanos: 5 } }),
      invalid('invalid equivocation time: 1970-01-01 00:00:00.000000005 +0000 UTC'),
    ],
    [submit({ height: 0n }), invalid('invalid equivocation height: 0')],
    [submit({ power: -1n }), invalid('invalid equivocation validator power: -1')],
    [submit({ consensusAddress: '' }), invalid('invalid equivocation validator consensus address: ')],
    [submit(), ['evidence', 2, 'equivocation: unregistered handler for evidence type']],
  ])('is refused: $title (case %#)', (sent, expected) => {
    expect(sent.refusal({ ...contextOver([]), version: chronicle })).toEqual(expected);
  });

  it('fails with a nil pointer panic in evmd', () => {
    expect(submit().refusal({ ...contextOver([]), version: evmd })).toEqual([
      'undefined',
      111222,
      'recovered: runtime error: invalid memory address or nil pointer dereference: panic',
    ]);
  });

  it('that is known is refused by its hash', () => {
    const context = contextOver([]);
    const section = { evidence: [{ '@type': `/${EquivocationSchema.typeName}`, ...JSON_OFFENCE }] };
    evidenceModule.initGenesis(context, section, FACTS);
    const hash = upperHex(crypto.sha256(encode(EquivocationSchema, OFFENCE)));
    expect(submit().refusal(context)).toEqual(['evidence', 5, `${hash}: evidence already exists`]);
    expect(() => evidenceModule.initGenesis(context, section, FACTS)).toThrow(
      `evidence with hash ${hash} already exists`,
    );
  });
});

const JSON_OFFENCE = { height: '1', power: '1', time: '1970-01-01T00:00:01Z', consensus_address: 'cosmosvalcons1' };

/** A block that proves an offence of a validator. */
function provenIn(context: Context, address: Uint8Array, change: object = {}): void {
  const { hash, proposer, gas, facts } = context.block;
  const offence = {
    kind: 'duplicate vote' as const,
    address,
    power: 1n,
    height: toHeight(context.height - 1n),
    time: context.time,
    totalVotingPower: 1n,
    ...change,
  };
  const block = new BlockScope(hash, proposer, gas, { ...facts, misbehavior: [offence] });
  evidenceModule.beginBlock?.({ ...context, block });
}

describe.skipIf(!hasGolden)('proven offences', () => {
  const bonded = parseAddress('cosmosvalcons', BONDED) ?? new Uint8Array(0);

  it('of a bonded validator slash, jail and tombstone it once', () => {
    const context = recordedContext(224n);
    provenIn(context, bonded);
    expect(
      context.events.filter(({ type }) => type === 'slash').map(({ attributes }) => attributes.map((one) => one.key)),
    ).toEqual([['address', 'power', 'reason', 'burned_coins'], ['jailed']]);
    const once = ['slashing', 'staking', 'evidence', 'distribution'].map((store) => entriesIn(context, store));
    provenIn(context, bonded, { power: 2n });
    expect(['slashing', 'staking', 'evidence', 'distribution'].map((store) => entriesIn(context, store))).toEqual(once);
  });

  it.each([
    ['an unknown validator', new Uint8Array(20).fill(9), {}],
    ['a bonded validator long ago', bonded, { height: toHeight(1n), time: toTimeNs(-(10n ** 18n) * 4n) }],
  ])('of %s have no effect', (_, address, change) => {
    const context = { ...recordedContext(715n), height: toHeight(10n ** 9n) };
    const before = entriesIn(context, 'evidence');
    provenIn(context, address, change);
    expect(entriesIn(context, 'evidence')).toEqual(before);
    expect(context.events).toEqual([]);
  });
});

describe.skipIf(!hasGolden)('the recorded state', () => {
  it('is exported as by the recorded node, and imported again', () => {
    const context = recordedContext(715n);
    const section = evidenceModule.exportGenesis(context);
    expect(section).toEqual(exportedSection('evidence'));
    const again = contextOver([]);
    evidenceModule.initGenesis(again, section, FACTS);
    expect(entriesIn(again, 'evidence')).toEqual(entriesIn(context, 'evidence'));
    expect(toHex(new Uint8Array([0]))).toBe(entriesIn(again, 'evidence')[0]?.[0].slice(0, 2));
  });
});
