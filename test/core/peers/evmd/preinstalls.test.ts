/** MsgRegisterPreinstalls with the errors of evmd v0.6.0, which parses code and addresses as go-ethereum does. */
import { expect, test } from 'vitest';
import { preinstallAsGo } from '../../../../src/core/peers/evmd/execution.js';
import { codeHashKey, codeKey } from '../../../../src/core/modules/evm/store.js';
import { contextOf, DevChain } from '../../app/dev-chain.js';
import { crypto, fromHex, toHex } from '../../app/support.js';

const PLACE = '0x00000000000000000000000000000000000b0b01';
const at = (address: string): Uint8Array => fromHex(address.replace('0x', '').padStart(40, '0'));

test.each([
  ['0x6001', PLACE, '6001', PLACE],
  ['0x600', PLACE, '0600', PLACE],
  ['60zz', PLACE, '60', PLACE],
  ['0x6001', '0x1', '6001', '0x1'],
  ['0x6001', `0x77${PLACE.slice(2)}`, '6001', PLACE],
  ['0x6001', 'no address', '6001', '0x0'],
])('code %s at %s is installed as %s at %s', (code, address, made, place) => {
  const context = contextOf(new DevChain());
  expect(preinstallAsGo(context, { address, code })).toBeUndefined();
  const hash = context.store.get('evm', codeHashKey(at(place))) ?? new Uint8Array();
  expect(toHex(hash)).toBe(toHex(crypto.keccak256(fromHex(made))));
  expect(toHex(context.store.get('evm', codeKey(hash)) ?? new Uint8Array())).toBe(made);
});

test.each([
  ['', 'has no code'],
  ['0x', 'has empty code hash'],
  ['zz', 'has empty code hash'],
])('code "%s" is refused: %s', (code, problem) => {
  expect(preinstallAsGo(contextOf(new DevChain()), { address: PLACE, code })).toBe(`preinstall ${PLACE} ${problem}`);
});

test('a second contract at an address is refused for its code, or else for its account', () => {
  const context = contextOf(new DevChain());
  const made = (code: string) => preinstallAsGo(context, { address: PLACE, code });
  expect(made('0x6001')).toBeUndefined();
  expect(made('0x6002')).toBe(`preinstall ${PLACE} already has a code hash with a different code hash`);
  expect(made('0x6001')).toBe(`preinstall ${PLACE} already has an account in account keeper`);
});
