import { describe, expect, it } from 'vitest';
import { nextInflation } from '../../../../src/core/modules/mint/minter.js';
import { mintModule } from '../../../../src/core/modules/mint/module.js';
import { defaultParams } from '../../../../src/core/modules/mint/params.js';
import { MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/mint/v1beta1/tx_pb.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import { GenesisError } from '../../../../src/core/sdk/module/genesis-section.js';
import { hasGolden } from '../../../support/golden.js';
import {
  contextOver,
  entriesIn,
  exportedSection,
  FACTS,
  GOVERNANCE,
  recordedContext,
  refusal,
} from '../distribution/support.js';

const ONE = DEC_ONE.toString();
const PARAMS = {
  mintDenom: 'atest',
  inflationRateChange: ONE,
  inflationMax: ONE,
  inflationMin: '0',
  goalBonded: ONE,
  blocksPerYear: 1n,
};

describe('the parameters of inflation', () => {
  it.each([
    [{ mintDenom: ' ' }, 'mint denom cannot be blank'],
    [{ mintDenom: '1x' }, 'invalid denom: 1x'],
    [{ inflationRateChange: '' }, 'inflation rate change cannot be nil: <nil>'],
    [{ inflationRateChange: '-1' }, 'inflation rate change cannot be negative: -0.000000000000000001'],
    [{ inflationMax: `${ONE}0` }, 'max inflation too large: 10.000000000000000000'],
    [{ inflationMin: '-1' }, 'min inflation cannot be negative: -0.000000000000000001'],
    [{ goalBonded: '0' }, 'goal bonded must be positive: 0.000000000000000000'],
    [{ goalBonded: '-1' }, 'goal bonded must be positive: -0.000000000000000001'],
    [{ blocksPerYear: 0n }, 'blocks per year must be positive: 0'],
    [
      { blocksPerYear: 1n << 63n },
      'blocks per year too large: 9223372036854775808, maximum value is: 9223372036854775807',
    ],
    [
      { inflationMax: '1', inflationMin: '2' },
      'max inflation (0.000000000000000001) must be greater than or equal to min inflation (0.000000000000000002)',
    ],
  ])('are refused for %o: %s', (change, text) => {
    const message = { authority: GOVERNANCE, params: { ...PARAMS, ...change } };
    expect(refusal(contextOver([]), mintModule, MsgUpdateParamsSchema, message)).toEqual(['undefined', 1, text]);
  });

  it('are changed by governance only', () => {
    const authority = 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv';
    expect(refusal(contextOver([]), mintModule, MsgUpdateParamsSchema, { authority, params: PARAMS })).toEqual([
      'gov',
      13,
      `invalid authority; expected ${GOVERNANCE}, got ${authority}: expected gov account as only signer for proposal message`,
    ]);
    expect(
      refusal(contextOver([]), mintModule, MsgUpdateParamsSchema, { authority: GOVERNANCE, params: PARAMS }),
    ).toBeUndefined();
  });
});

describe('inflation', () => {
  const params = defaultParams('atest');
  it.each([
    [0n, (13n * DEC_ONE) / 100n, 130_000_020_597_257_079n],
    [DEC_ONE, (13n * DEC_ONE) / 100n, 129_999_989_855_082_334n],
    [0n, params.inflationMax, params.inflationMax],
    [DEC_ONE, params.inflationMin, params.inflationMin],
  ])('with %s bonded changes from %s to %s', (bonded, from, to) => {
    expect(nextInflation(from, params, bonded)).toBe(to);
  });
});

describe('the genesis of mint', () => {
  it('is refused with the path of an invalid value', () => {
    expect(() => mintModule.initGenesis(contextOver([]), { params: { mint_denom: 'x' } }, FACTS)).toThrow(GenesisError);
    expect(() =>
      mintModule.initGenesis(contextOver([]), { minter: { inflation: 'half', annual_provisions: '0' } }, FACTS),
    ).toThrow('app_state.mint.minter.inflation: not a decimal: half');
  });

  it.skipIf(!hasGolden)('is exported as by the recorded node, and imported again', () => {
    const context = recordedContext(715n);
    const section = mintModule.exportGenesis(context);
    expect(section).toEqual(exportedSection('mint'));
    const again = contextOver([]);
    mintModule.initGenesis(again, section, FACTS);
    expect(entriesIn(again, 'mint')).toEqual(entriesIn(context, 'mint'));
  });
});
