/**
 * Refusals of each module, with codespace, code and text: invalid messages, and messages that the state does not
 * allow. Every error that core registers occurs here or in the test file that ELSEWHERE names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRefusals } from '../../../house/refusals.js';
import { BANK, VESTING } from './coins.js';
import { FIRST_FAULTS } from './first-fault.js';
import { GOVERNANCE, OTHERS } from './gov.js';
import { AUTHZ, FEEGRANT } from './grants.js';
import { outcomeOf, withNames } from './stage.js';
import { STAKING } from './staking.js';
import { refusalOf, TRANSACTIONS } from './transactions.js';
import { REGISTERED, UNMET } from './unmet.js';

const TABLES = {
  staking: STAKING,
  authz: AUTHZ,
  feegrant: FEEGRANT,
  gov: GOVERNANCE,
  others: OTHERS,
  bank: BANK,
  vesting: VESTING,
  'several modules at the first of several faults': FIRST_FAULTS,
};

describe.each(Object.entries(TABLES))('messages of %s', (_, table) => {
  it.each(table)('are refused with "$refused"', ({ steps, refused }) => {
    expect(outcomeOf(steps)).toBe(refused);
  });
});

describe('transactions before their messages run', () => {
  it.each(TRANSACTIONS)('are refused with "$refused"', ({ tx, preset, refused }) => {
    expect(withNames(refusalOf(tx, preset))).toBe(refused);
  });
});

/** Errors that need an EVM, a query or another kind of block, with the files below `test/core` that test them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'erc20 2': 'modules/erc20/erc20.test.ts',
  'erc20 3': 'modules/erc20/erc20.test.ts',
  'erc20 4': 'modules/erc20/erc20.test.ts',
  'erc20 5': 'modules/erc20/erc20.test.ts',
  'erc20 6': 'modules/erc20/erc20.test.ts',
  'erc20 7': 'modules/erc20/erc20.test.ts',
  'erc20 8': 'modules/erc20/erc20.test.ts',
  'erc20 10': 'modules/erc20/erc20.test.ts',
  'erc20 12': 'modules/erc20/erc20.test.ts',
  'erc20 13': 'modules/erc20/erc20.test.ts',
  'erc20 16': 'modules/erc20/erc20.test.ts',
  'erc20 20': 'modules/erc20/erc20.test.ts',
  'evmos 2': 'modules/ibc/chains/evmos-transfers.test.ts',
  'recovery 2': 'modules/ibc/chains/evmos-transfers.test.ts',
  'vesting 2': 'modules/vesting/clawback.test.ts',
  'evm 5': 'modules/evm/evm-chain.test.ts',
  'evm 6': 'modules/evm/evm-chain.test.ts',
  'evm 10': 'modules/erc20/erc20.test.ts',
  'channel 18': 'app/params.test.ts',
  'transfer 3': 'modules/ibc/refused-messages.test.ts',
  'transfer 4': 'modules/ibc/refused-messages.test.ts',
  'transfer 5': 'modules/ibc/refused-messages.test.ts',
  'transfer 6': 'modules/ibc/refused-messages.test.ts',
  'transfer 7': 'modules/ibc/refused-messages.test.ts',
  'transfer 8': 'modules/ibc/chains/transfer.test.ts',
  'transfer 9': 'modules/ibc/refused-messages.test.ts',
  'transfer 10': 'modules/ibc/transfer-authorization.test.ts',
  'transfer 11': 'modules/ibc/refused-messages.test.ts',
  'transfer 15': 'modules/ibc/v2/commitments.test.ts',
  'transfer 16': 'modules/ibc/v2/transfer.test.ts',
  'params 2': 'modules/params/params.test.ts',
  'params 3': 'app/refusals/gov.ts',
  'upgrade 2': 'app/recorded-queries.test.ts',
  'sdk 6': 'app/recorded-queries.test.ts',
  'sdk 14': 'sdk/signing/threshold-limit.test.ts',
  'sdk 21': 'sdk/codec/too-many-parts.test.ts',
  'sdk 22': 'app/recorded-queries.test.ts',
  'sdk 24': 'modules/evm/evm-chain.test.ts',
  'sdk 35': 'modules/erc20/erc20.test.ts',
  'undefined 111222': 'modules/crisis/crisis.test.ts',
};

/** Errors of the mempool and of heights that do not exist: no transaction in a block gets them. */
const BY_NODE: readonly string[] = ['sdk 19 tx already in mempool', 'sdk 20 mempool is full', 'sdk 26 invalid height'];

it('every registered error occurs in a test', () => {
  const met = new Set(
    [...Object.values(TABLES).flat(), ...TRANSACTIONS].map(({ refused }) => refused.slice(0, refused.indexOf(':'))),
  );
  const missing = readRefusals()
    .definitions.filter(({ codespace, code, text }) => {
      if (met.has(`${codespace} ${code}`)) return false;
      const file = ELSEWHERE[`${codespace} ${code}`];
      return file === undefined || !readFileSync(join(import.meta.dirname, '../..', file), 'utf8').includes(text);
    })
    .map(({ codespace, code, text }) => `${codespace} ${code} ${text}`);
  expect(missing).toEqual(BY_NODE);
});

it("every error of the SDK's modules is registered here, or listed as one that no message can get", () => {
  const here = new Set(readRefusals().definitions.map(({ codespace, code }) => `${codespace} ${code}`));
  const theirs = Object.entries(REGISTERED).flatMap(([codespace, codes]) =>
    codes.map((code) => `${codespace} ${code}`),
  );
  expect(theirs.filter((error) => !here.has(error)).toSorted()).toEqual(Object.keys(UNMET).toSorted());
});
