import { bech32 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import {
  deleteMissed,
  hasMissed,
  missedBlocks,
  setMissed,
} from '../../../../src/core/modules/slashing/missed-blocks.js';
import { slashingModule } from '../../../../src/core/modules/slashing/module.js';
import { requireOperator } from '../../../../src/core/modules/staking/addresses.js';
import { replaceValidator, requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import * as pb from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { hasGolden } from '../../../support/golden.js';
import { fromHex } from '../../app/support.js';
import {
  contextOver,
  entriesIn,
  exportedSection,
  FACTS,
  GOVERNANCE,
  recordedContext,
  sends,
} from '../distribution/support.js';

const send = sends(slashingModule);
/** Two validators of the recorded chain; the second one is tombstoned for double signing. */
const FREE = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql';
const TOMBSTONED = 'cosmosvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgwztcn4';
const NOBODY = bech32.encode('cosmosvaloper', bech32.toWords(new Uint8Array(20).fill(9)));
const HALF = utf8((5n * 10n ** 17n).toString());
const PARAMS = {
  signedBlocksWindow: 10n,
  minSignedPerWindow: HALF,
  downtimeJailDuration: { seconds: 1n, nanos: 0 },
  slashFractionDoubleSign: HALF,
  slashFractionDowntime: HALF,
};
const update = (change: object, authority = GOVERNANCE) =>
  send(pb.MsgUpdateParamsSchema, { authority, params: { ...PARAMS, ...change } });

describe.skipIf(!hasGolden)('slashing', () => {
  it.each([
    [
      send(pb.MsgUnjailSchema, { validatorAddr: 'bad' }),
      ['sdk', 7, 'validator input address: unknown address format: bad: unknown address: invalid address'],
    ],
    [send(pb.MsgUnjailSchema, { validatorAddr: NOBODY }), ['staking', 3, 'validator does not exist']],
    [send(pb.MsgUnjailSchema, { validatorAddr: FREE }), ['slashing', 5, 'validator not jailed; cannot be unjailed']],
    [
      send(pb.MsgUnjailSchema, { validatorAddr: TOMBSTONED }),
      ['slashing', 4, 'validator still jailed; cannot be unjailed'],
    ],
    [
      update({}, 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv'),
      [
        'gov',
        13,
        `invalid authority; expected ${GOVERNANCE}, got cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv: expected gov account as only signer for proposal message`,
      ],
    ],
    [update({ signedBlocksWindow: 0n }), ['undefined', 1, 'signed blocks window must be positive: 0']],
    [
      update({ minSignedPerWindow: utf8('-1') }),
      ['undefined', 1, 'min signed per window cannot be negative: -0.000000000000000001'],
    ],
    [update({ minSignedPerWindow: utf8('') }), ['undefined', 1, 'min signed per window cannot be nil: <nil>']],
    [
      update({ downtimeJailDuration: { seconds: -1n, nanos: 0 } }),
      ['undefined', 1, 'downtime jail duration must be positive: -1s'],
    ],
    [update({ downtimeJailDuration: undefined }), ['undefined', 1, 'downtime jail duration must be positive: 0s']],
    [
      update({ slashFractionDoubleSign: utf8('2000000000000000000') }),
      ['undefined', 1, 'double sign slash fraction too large: 2.000000000000000000'],
    ],
    [
      update({ slashFractionDowntime: utf8('2000000000000000000') }),
      ['undefined', 1, 'downtime slash fraction too large: 2.000000000000000000'],
    ],
    [
      update({ slashFractionDowntime: utf8('half') }),
      ['sdk', 2, 'math/big: cannot unmarshal "half" into a *big.Int: tx parse error'],
    ],
  ])('refuses $title (case %#)', (sent, expected) => {
    expect(sent.refusal(recordedContext(224n))).toEqual(expected);
  });

  it('refuses to unjail a validator whose own delegation is below its minimum', () => {
    const context = recordedContext(224n);
    const validator = requireValidator(context, requireOperator(context, TOMBSTONED));
    replaceValidator(context, validator, { ...validator, minSelfDelegation: 10n ** 30n });
    const [codespace, code, text] = send(pb.MsgUnjailSchema, { validatorAddr: TOMBSTONED }).refusal(context) ?? [];
    expect([codespace, code]).toEqual(['slashing', 7]);
    expect(text).toMatch(
      /^\d+ less than 1000000000000000000000000000000: validator's self delegation less than minimum; cannot be unjailed$/,
    );
  });
});

describe('the blocks that a validator missed', () => {
  const consensus = new Uint8Array(20).fill(1);

  it('are stored as bits in chunks', () => {
    const context = contextOver([]);
    for (const index of [0n, 63n, 64n, 1023n, 1024n]) setMissed(context, consensus, index, true);
    setMissed(context, consensus, 64n, false);
    expect([...missedBlocks(context, consensus)]).toEqual([0n, 63n, 1023n, 1024n]);
    expect([0n, 1n, 64n, 1024n, 5000n].map((index) => hasMissed(context, consensus, index))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    const [[, first] = []] = entriesIn(context, 'slashing');
    expect(first).toBe(`${'0000000000000400'}${'8000000000000001'}${'0'.repeat(14 * 16)}${'8000000000000000'}`);
    deleteMissed(context, consensus);
    expect(entriesIn(context, 'slashing')).toEqual([]);
  });
});

describe.skipIf(!hasGolden)('the recorded state', () => {
  it('is exported as by the recorded node, and imported again', () => {
    const context = recordedContext(715n);
    const section = slashingModule.exportGenesis(context);
    expect(section).toEqual(exportedSection('slashing'));
    const again = contextOver(
      entriesIn(context, 'staking').map(([key, value]) => ({
        store: 'staking',
        key: fromHex(key),
        value: fromHex(value),
      })),
    );
    slashingModule.initGenesis(again, section, FACTS);
    expect(entriesIn(again, 'slashing')).toEqual(entriesIn(context, 'slashing'));
  });

  it('counts no vote of an unknown validator', () => {
    const context = recordedContext(224n);
    const lastCommitVotes = [{ address: new Uint8Array(20).fill(9), power: 1n, flag: 'absent' as const }];
    const { hash, proposer, gas, facts } = context.block;
    const before = entriesIn(context, 'slashing');
    slashingModule.beginBlock?.({
      ...context,
      block: new BlockScope(hash, proposer, gas, { ...facts, lastCommitVotes }),
    });
    expect(entriesIn(context, 'slashing')).toEqual(before);
  });
});
