/** The recorded genesis transaction creates the recorded validator. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { InitChainResult } from '../../../../src/core/application-requests.js';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { parseGenesis } from '../../../../src/core/genesis/genesis-document.js';
import { asObject } from '../../../../src/core/text/json-object.js';
import { missingModules } from '../../../../src/core/sdk/module/app-version.js';
import { goldenLines, goldenPath, hasGolden } from '../../../support/golden.js';
import { chain } from '../../app/recorded-evm.js';
import { crypto, toHex } from '../../app/support.js';
import type { RecordedEntry } from '../../app/recorded-state.js';

/** evmd with the modules of this build only. */
const missing = missingModules(evmd);
const version = { ...evmd, initOrder: evmd.initOrder.filter((name) => !missing.includes(name)) };

/** Keys that block 1 writes again: its historical info and its changes of the validator set. */
const OF_BLOCK = /^(50|61)/;

function init(change: (genTx: string) => string): InitChainResult {
  const document = JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8'));
  const genesis = parseGenesis(document);
  if (!genesis.ok) throw new Error('genesis');
  const { time, consensusParams, appState, initialHeight } = genesis.genesis;
  const sections = asObject(appState) ?? {};
  const genutil: unknown = JSON.parse(change(JSON.stringify(sections['genutil'])));
  return createApplication({ version, chain, crypto }).initChain({
    chainId: '9001',
    initialHeight,
    time,
    consensusParams,
    validators: [],
    appState: { ...sections, genutil },
  });
}

describe.skipIf(!hasGolden)('genesis transactions', () => {
  it('write what the recorded node wrote', () => {
    const { writes, validators } = init((same) => same);
    expect(validators.map(({ power }) => power)).toEqual([1000n]);
    const recorded = goldenLines<RecordedEntry>('chain-a/state-000001.jsonl').flatMap(({ s, k, v }) =>
      s === 'staking' && !OF_BLOCK.test(k) ? [`${k} ${v ?? ''}`] : [],
    );
    const ours = writes.flatMap(({ store, key, value }) =>
      store === 'staking' && value !== undefined && !OF_BLOCK.test(toHex(key)) ? [`${toHex(key)} ${toHex(value)}`] : [],
    );
    expect(ours.sort()).toEqual(recorded.sort());
    const account = '017cb61d4117ae31a12e393a1cfa3bac666481d02e';
    const written = writes.find(({ store, key }) => store === 'acc' && toHex(key) === account);
    expect(toHex(written?.value ?? new Uint8Array())).toBe(
      goldenLines<RecordedEntry>('chain-a/state-000001.jsonl').find(({ s, k }) => s === 'acc' && k === account)?.v,
    );
  });

  it.each([
    [
      'a changed amount',
      '"amount":"1000000000000000000000"',
      '"amount":"1000000000000000000001"',
      'gen_txs[0]: signature verification failed',
    ],
    ['an unknown message', '.MsgCreateValidator"', '.MsgNope"', 'gen_txs[0].body.messages[0].@type: no message'],
    ['a rate that is no number', '"rate":"0.100000000000000000"', '"rate":"x"', 'not a decimal: x'],
    ['an unknown field', '"moniker"', '"monicker"', 'gen_txs[0].body.messages[0]'],
    ['a malformed signature', '"signatures":["', '"signatures":["!', 'signatures[0]: is not base64'],
    ['a value that is no list', '"gen_txs":[', '"gen_txs":1,"x":[', 'gen_txs: is not a list'],
  ])('are refused with %s', (_, from, to, text) => {
    expect(() => init((genTx) => genTx.replace(from, to))).toThrow(text);
  });
});
