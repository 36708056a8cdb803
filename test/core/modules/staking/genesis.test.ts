/** Staking's section of a genesis: exported as by a recorded node, and imported again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportGenesis, initGenesis } from '../../../../src/core/modules/staking/genesis.js';
import { asObject } from '../../../../src/core/text/json-object.js';
import { GenesisError } from '../../../../src/core/sdk/module/genesis-section.js';
import { goldenPath, hasGolden } from '../../../support/golden.js';
import { toHex } from '../../app/support.js';
import { emptyContext, load } from './context.js';

function recordedSection(): unknown {
  const document: unknown = JSON.parse(readFileSync(goldenPath('chain-a/export-at-715.json'), 'utf8'));
  return asObject(asObject(document)?.['app_state'])?.['staking'];
}

describe.skipIf(!hasGolden)('the recorded chain at height 715', () => {
  it('is exported as by the recorded node', () => {
    const context = emptyContext();
    load(context, 'state-000224', ['staking']);
    load(context, 'state-000715.delta', ['staking']);
    expect(exportGenesis(context)).toEqual(recordedSection());
  });

  it('is the same after an import, except for unbonding ids and historical infos', () => {
    const before = emptyContext();
    load(before, 'state-000224', ['staking']);
    load(before, 'state-000715.delta', ['staking']);
    const after = emptyContext();
    load(after, 'state-000224', ['bank']);
    load(after, 'state-000715.delta', ['bank']);
    const updates = initGenesis(after, exportGenesis(before));
    expect(updates.map(({ power }) => power)).toEqual([1009n]);
    expect(exportGenesis(after)).toEqual(exportGenesis(before));
    const keys = (context: typeof after): string[] =>
      Array.from(context.store.range('staking', {}), ({ key }) => toHex(key)).filter(
        (key) => !/^(37|38|39|50|61)/.test(key),
      );
    expect(keys(after)).toEqual(keys(before));
  });
});

describe('an invalid genesis of staking', () => {
  it.each([
    [
      { params: { bond_denom: 'stake', unbonding_time: '1s', max_validators: 0, max_entries: 7 } },
      'max validators must be positive: 0',
    ],
    [
      { params: { bond_denom: ' ', unbonding_time: '1s', max_validators: 1, max_entries: 7 } },
      'bond denom cannot be blank',
    ],
    [{ params: { min_commission_rate: 'x' } }, 'app_state.staking.params.min_commission_rate: not a decimal: x'],
    [{ last_total_power: 5 }, 'app_state.staking.last_total_power: is not a whole number as text'],
    [{ validators: [{ operator_address: 'x' }] }, 'app_state.staking.validators[0]: has a malformed'],
    [{ delegations: [{ shares: '1.0' }] }, 'app_state.staking.delegations[0]: has a malformed'],
    [{ colour: 'red' }, 'app_state.staking'],
  ])('is refused: %j', (section, text) => {
    expect(() => initGenesis(emptyContext(), section)).toThrow(GenesisError);
    expect(() => initGenesis(emptyContext(), section)).toThrow(text);
  });
});
