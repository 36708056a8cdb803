import { expect, it } from 'vitest';
import { FIXED_LIMITS } from '../../../../src/core/limits/limits.js';
import { addressOf, bytesOf, ethereumChain } from '../../app/ethereum-chain.js';

it('the access list of a call that reads another slot in each execution is of accessListAttempts executions', () => {
  const dev = ethereumChain();
  const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const to = bytesOf('cc'.repeat(20));
  // GAS SLOAD: each item of the list takes gas, so the next execution reads another slot.
  const edits = [{ address: to, code: bytesOf('5a5400') }];
  const list = dev.app.ethereum?.createAccessList(dev.state, at, { from: addressOf(1), to }, edits);
  expect(list).toMatchObject({ kind: 'list', accessList: [{ address: to }] });
  expect(list?.kind === 'list' && list.accessList[0]?.storageKeys).toHaveLength(FIXED_LIMITS.accessListAttempts);
});
