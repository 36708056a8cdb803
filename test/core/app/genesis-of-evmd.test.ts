/** InitChain with the genesis of golden chain-a, and the genesis that the Go node exported from that chain. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { evmd } from '../../../src/core/app/presets.js';
import { exportGenesis } from '../../../src/core/genesis/export-genesis.js';
import { parseGenesis } from '../../../src/core/genesis/genesis-document.js';
import { toHeight } from '../../../src/core/primitives.js';
import { goldenLines, goldenPath, hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { chain } from './recorded-evm.js';
import { crypto, stateOf, toHex } from './support.js';
import type { RecordedEntry } from './recorded-state.js';

/** Stores in which block 1 writes nothing but what genesis wrote. */
const STORES = ['erc20', 'evm', 'ibc', 'precisebank', 'transfer'];

/** Modules whose export is compared with the recorded one. */
const BEGUN = ['erc20', 'ibc', 'precisebank', 'transfer'];

type Sections = Readonly<Record<string, unknown>>;

function recordedGenesis() {
  const parsed = parseGenesis(JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8')));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.genesis;
}

/** Runs InitChain with the modules of this build; `sections` replace those of the genesis. */
function begin(sections: Sections = {}) {
  const present = new Set(evmd.modules.map(({ name }) => name));
  const version = { ...evmd, initOrder: evmd.initOrder.filter((name) => present.has(name)) };
  const genesis = recordedGenesis();
  const app = createApplication({ version, chain, crypto });
  const { writes } = app.initChain({
    ...genesis,
    validators: [],
    appState: { ...genesis.appState, ...sections },
  });
  return { writes };
}

describe.skipIf(!hasGolden)('genesis of golden chain-a', () => {
  test.each(STORES)('writes the recorded rows of store %s', (store) => {
    const recorded = goldenLines<RecordedEntry>('chain-a/state-000001.jsonl').flatMap(({ s, k, v }) =>
      s === store ? [`${k} ${v}`] : [],
    );
    const ours = begin()
      .writes.filter((write) => write.store === store)
      .map(({ key, value }) => `${toHex(key)} ${toHex(value ?? new Uint8Array())}`);
    expect(ours).toEqual(recorded);
  });

  test('followed by the recorded blocks exports the recorded sections, and a chain starts from them', () => {
    const version = { ...evmd, initOrder: BEGUN };
    const state = stateOf(readRecordedChain().flatMap(({ writes }) => writes));
    const at = { chainId: chain.chainId, height: toHeight(714n), time: recordedGenesis().time };
    const ours: Sections = JSON.parse(JSON.stringify(exportGenesis(state, { version, chain, crypto, at })));
    const recorded: Sections = JSON.parse(readFileSync(goldenPath('chain-a/export-at-715.json'), 'utf8')).app_state;
    for (const name of BEGUN) expect(ours[name]).toEqual(recorded[name]);
    expect(() => begin({ ibc: ours['ibc'], erc20: ours['erc20'] })).not.toThrow();
  });

  test.each<[string, string, unknown, string]>([
    [
      'a contract twice',
      'erc20',
      { token_pairs: pairs(['0x01', 'a1a'], ['0x01', 'b1b']) },
      'token_pairs[1].erc20_address: token ERC20 contract duplicated',
    ],
    [
      'a denom twice',
      'erc20',
      { token_pairs: pairs(['0x01', 'a1a'], ['0x02', 'a1a']) },
      'token_pairs[1].denom: coin denomination duplicated',
    ],
    ['a bad denom', 'erc20', { token_pairs: pairs(['0x01', '?']) }, 'token_pairs[0].denom: invalid denom: ?'],
    [
      'a bad contract',
      'erc20',
      { token_pairs: [{ erc20_address: '0xzz', denom: 'a1a' }] },
      'token_pairs[0].erc20_address: invalid hex address: 0xzz',
    ],
    [
      'a precompile without a token pair',
      'erc20',
      { native_precompiles: [contract('0x01')] },
      'native_precompiles[0]: no token pair',
    ],
    [
      'an allowance of zero',
      'erc20',
      {
        allowances: [
          { erc20_address: contract('0x01'), owner: contract('0x02'), spender: contract('0x03'), value: '0' },
        ],
      },
      'allowances[0].value: not a positive amount: 0',
    ],
    [
      'a fractional balance',
      'precisebank',
      { balances: [{ address: 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm', amount: '1' }], remainder: '0' },
      'balances[0].amount: amount 1 exceeds max of 0',
    ],
    ['a remainder', 'precisebank', { balances: [], remainder: '1' }, 'remainder: amount 1 exceeds max of 0'],
    [
      'a channel without a connection',
      'ibc',
      { channel_genesis: { channels: [{ port_id: 'transfer' }] } },
      'channel_genesis.channels: channel transfer/ is of connection , which is not there',
    ],
    [
      'a localhost client',
      'ibc',
      { client_genesis: { create_localhost: true } },
      'client_genesis.create_localhost: a localhost client is not allowed',
    ],
    [
      'an escrow of zero',
      'transfer',
      { total_escrowed: [{ denom: 'a1a', amount: '0' }] },
      'total_escrowed: invalid coins: 0a1a',
    ],
    [
      'a denomination without a name',
      'transfer',
      { denoms: [{ base: ' ', trace: [{ port_id: 'transfer', channel_id: 'channel-0' }] }] },
      'denoms[0]: base denomination cannot be blank: invalid denomination for cross-chain transfer',
    ],
    [
      'a denomination over an invalid channel',
      'transfer',
      { denoms: [{ base: 'uatom', trace: [{ port_id: 'transfer', channel_id: 'c' }] }] },
      'denoms[0]: invalid trace: invalid hop source channel ID c: identifier c has invalid length: 1, must be between 8-64 characters: invalid identifier',
    ],
    [
      'a denomination twice',
      'transfer',
      {
        denoms: [
          { base: 'uatom', trace: [{ port_id: 'transfer', channel_id: 'channel-0' }] },
          { base: 'uatom', trace: [{ port_id: 'transfer', channel_id: 'channel-0' }] },
        ],
      },
      'denoms[1]: duplicated denomination: transfer/channel-0/uatom',
    ],
  ])('with %s is refused', (_, module, section, reason) => {
    expect(() => begin({ [module]: section })).toThrow(`app_state.${module}.${reason}`);
  });
});

function contract(end: string): string {
  return `0x${end.slice(2).padStart(40, '0')}`;
}

function pairs(...all: readonly (readonly [string, string])[]) {
  return all.map(([end, denom]) => ({ erc20_address: contract(end), denom, enabled: true, contract_owner: 1 }));
}
