/** evmd creates accounts for the Ethereum precompiles that are called. */
import { expect, test } from 'vitest';
import { ensureAccount, hasAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { codeHashKey, codeKey } from '../../../../../src/core/modules/evm/store.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import { bytesOf, person } from '../../../app/properties/people.js';
import { crypto } from '../../../app/support.js';
import { NO_SLASHES, bytesOfHex, contractCall, tried, world } from './world.js';

const CONTRACT = bytesOfHex(`0x${'ca'.repeat(20)}`);
const SHA256 = bytesOfHex(`0x${'2'.padStart(40, '0')}`);
const OWNER = bytesOf(person(0));
/** Calls the SHA-256 precompile with empty input. */
const CODE = bytesOfHex('0x5f5f5f5f60025afa00');

test('the first call of an Ethereum precompile creates its account', () => {
  const chain = world(NO_SLASHES);
  const state = new CacheStore(chain.state);
  const hash = crypto.keccak256(CODE);
  ensureAccount(chain.delivering(state), CONTRACT);
  state.set('evm', codeKey(hash), CODE);
  state.set('evm', codeHashKey(CONTRACT), hash);
  expect(hasAccount(chain.delivering(state), SHA256)).toBe(false);

  const call = contractCall(OWNER, { to: `0x${'ca'.repeat(20)}`, data: '0x' });
  const first = tried(chain, state, call);
  expect(first.refusal).toBeUndefined();
  const account = `acc 01${'2'.padStart(40, '0')}`;
  expect([...first.changes.keys()]).toContain(account);

  const after = new CacheStore(state);
  call(chain.delivering(after));
  expect(hasAccount(chain.delivering(after), SHA256)).toBe(true);
  const second = new CacheStore(after);
  call(chain.delivering(second));
  expect(second.writes().filter(({ key }) => key.length === 21 && key.at(-1) === 2)).toEqual([]);
});
