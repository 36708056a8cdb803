/** Gas in the result of a transaction that fails before its own gas meter is set up. */
import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { CONSENSUS_PARAMS } from '../../../../src/core/modules/consensus/module.js';
import { FEE_MARKET_PARAMS } from '../../../../src/core/modules/feemarket/params.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { hasGolden } from '../../../support/golden.js';
import { PropertyChain } from '../properties/chain.js';
import { chain } from '../recorded-evm.js';
import { crypto, fromHex, stateOf } from '../support.js';
import { SETTINGS, tx } from './transactions.js';
import { recordedWrites } from '../recorded-state.js';

/** Gas wanted and used by a transaction in a block, and the gas of reading consensus and fee market parameters. */
function gasOf(bytes: Uint8Array, version: AppVersion) {
  const of = new PropertyChain(version, SETTINGS);
  const { results, writes } = of.dryRun(of.facts(1n, 0, []), [bytes]);
  const [result] = results.txResults;
  const after = stateOf(writes, of.state);
  const [consensus, feeMarket] = [CONSENSUS_PARAMS, FEE_MARKET_PARAMS].map(
    ({ store, key }) => 1000n + 3n * BigInt(key.length + (after.get(store, key)?.length ?? 0)),
  );
  return { gas: [result?.gasWanted, result?.gasUsed], consensus: consensus ?? 0n, feeMarket: feeMarket ?? 0n };
}

describe('a transaction that fails in a block before its gas meter is set up', () => {
  it('has used the gas of reading consensus parameters in evmd, unless it cannot be decoded', () => {
    const { gas, consensus } = gasOf(tx({ body: { messages: [] } }), evmd);
    expect(gas).toEqual([0n, consensus]);
    expect(gasOf(Uint8Array.of(1), evmd).gas).toEqual([0n, 0n]);
    expect(gasOf(tx({ body: { messages: [] } }), chronicle).gas).toEqual([0n, 0n]);
  });

  it('has 0 gas wanted when the ante rules of evmd panic', () => {
    const panics = tx({ modeInfo: {} });
    const { gas, consensus, feeMarket } = gasOf(panics, evmd);
    expect(gas).toEqual([0n, consensus + feeMarket]);
    expect(gasOf(panics, chronicle).gas[0]).toBe(300_000n);
  });
});

it.skipIf(!hasGolden)('CheckTx of evmd reports the recorded gas for bytes that cannot be decoded', () => {
  const state = stateOf(recordedWrites('state-000224'));
  const app = createApplication({ version: evmd, chain, crypto });
  const at = { chainId: chain.chainId, height: toHeight(224n), time: toTimeNs(0n) };
  const { code, gasUsed, gasWanted } = app.checkTx(app.createCheckState(state, at), fromHex('dead'));
  expect({ code, gasUsed, gasWanted }).toEqual({ code: 2, gasUsed: 1156n, gasWanted: 0n });
});
