/** Switches of denoms in the store of bank, as evmd v0.6.0 writes them: a `BoolValue`, which is empty for false. */
import { expect, test } from 'vitest';
import { hex } from '../../../../src/core/bytes/hex.js';
import { allSendEnabled, getSendEnabled, setSendEnabled } from '../../../../src/core/modules/bank/balances.js';
import { contextOf, DevChain } from '../../app/dev-chain.js';

test.each([
  [true, '0801'],
  [false, ''],
])('SendEnabled %s is written as evmd writes it', (enabled, written) => {
  const context = contextOf(new DevChain());
  setSendEnabled(context, 'uhalf', enabled);
  const value = context.store.get('bank', Uint8Array.of(4, ...Buffer.from('uhalf')));
  expect(value && hex(value)).toBe(written);
  expect(getSendEnabled(context, 'uhalf')).toBe(enabled);
  expect(allSendEnabled(context)).toMatchObject([{ denom: 'uhalf', enabled }]);
});

test.each([
  [true, Uint8Array.of(1)],
  [false, Uint8Array.of(0)],
  [false, Uint8Array.of(8, 0)],
])('SendEnabled %s is read as earlier builds or other encoders wrote it: %j', (enabled, value) => {
  const context = contextOf(new DevChain());
  context.store.set('bank', Uint8Array.of(4, ...Buffer.from('uhalf')), value);
  expect(getSendEnabled(context, 'uhalf')).toBe(enabled);
  expect(allSendEnabled(context)).toMatchObject([{ denom: 'uhalf', enabled }]);
});
