/** Records of staking: a recorded state that is read and written again is that state. */
import { describe, expect, it } from 'vitest';
import { allDelegations, setDelegation } from '../../../../src/core/modules/staking/delegations.js';
import {
  getLastTotalPower,
  lastPowers,
  setLastPower,
  setLastTotalPower,
} from '../../../../src/core/modules/staking/last-powers.js';
import { getParams, setParams } from '../../../../src/core/modules/staking/params.js';
import {
  queueRedelegation,
  queueUnbonding,
  takeDueRedelegations,
  takeDueUnbondings,
} from '../../../../src/core/modules/staking/queues.js';
import { allRedelegations, setRedelegation } from '../../../../src/core/modules/staking/redelegations.js';
import { allUnbondings, setUnbonding } from '../../../../src/core/modules/staking/unbonding-delegations.js';
import {
  allValidators,
  setByPower,
  setValidator,
  setValidatorByConsensus,
} from '../../../../src/core/modules/staking/validators.js';
import { goldenLines, hasGolden } from '../../../support/golden.js';
import { toHex } from '../../app/support.js';
import { emptyContext, load } from './context.js';
import type { RecordedEntry } from '../../app/recorded-state.js';

/** First bytes of the keys that staking's own objects have, besides historical infos, numbers and updates. */
const OBJECTS = /^(11|12|21|22|23|31|32|33|34|35|36|41|42|51|71)/;

describe.skipIf(!hasGolden).each(['000001', '000040', '000224'])('the recorded state after block %s', (height) => {
  it('is written as it was read', () => {
    const recorded = goldenLines<RecordedEntry>(`chain-a/state-${height}.jsonl`).filter(
      ({ s, k }) => s === 'staking' && OBJECTS.test(k),
    );
    const from = emptyContext();
    load(from, `state-${height}`, ['staking']);
    const to = emptyContext();
    setParams(to, getParams(from));
    setLastTotalPower(to, getLastTotalPower(from));
    for (const { operator, power } of lastPowers(from)) setLastPower(to, operator, power);
    for (const validator of allValidators(from)) {
      setValidator(to, validator);
      setValidatorByConsensus(to, validator);
      setByPower(to, validator);
    }
    for (const delegation of allDelegations(from)) setDelegation(to, delegation);
    for (const unbonding of allUnbondings(from)) {
      setUnbonding(to, unbonding);
      for (const { completionTime } of unbonding.entries) queueUnbonding(to, completionTime, unbonding);
    }
    for (const redelegation of allRedelegations(from)) {
      setRedelegation(to, redelegation);
      for (const { completionTime } of redelegation.entries) queueRedelegation(to, completionTime, redelegation);
    }
    const written = Array.from(to.store.range('staking', {}), ({ key, value }) => `${toHex(key)} ${toHex(value)}`);
    expect(written).toEqual(recorded.map(({ k, v }) => `${k} ${v}`));
    expect(takeDueUnbondings(from).length).toBe([...allUnbondings(from)].flatMap(({ entries }) => entries).length);
    expect(takeDueRedelegations(from).length).toBe(
      [...allRedelegations(from)].flatMap(({ entries }) => entries).length,
    );
  });
});
