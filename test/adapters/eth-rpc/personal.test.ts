import { expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { OTHER, SENDER } from './fake-node.js';
import { openFace } from './face.js';

it('personal_* recover signers, and show which accounts the node holds', async () => {
  const face = openFace({ dev: true });
  const ask = async (method: string, ...params: readonly unknown[]) => {
    const { result, error } = await face.call(`personal_${method}`, ...params);
    return error === undefined ? result : [error.code, error.message];
  };
  const signature = String(await ask('sign', '0x1234', hexData(SENDER)));
  expect(await ask('ecRecover', '0x1234', signature)).toBe(hexData(SENDER));
  expect(await ask('ecRecover', '0x1235', signature)).not.toBe(hexData(SENDER));
  expect(await ask('ecRecover', '0x1234', signature.slice(0, -2))).toEqual([-32000, 'signature must be 65 bytes long']);
  expect(await ask('ecRecover', '0x1234', `${signature.slice(0, -2)}00`)).toEqual([
    -32000,
    'invalid Ethereum signature (V is not 27 or 28)',
  ]);
  expect(await ask('ecRecover', '0x1234', `0x${'00'.repeat(64)}1b`)).toEqual([-32000, 'invalid signature']);
  expect(await ask('listAccounts')).toEqual([hexData(SENDER)]);
  const key = '07'.repeat(32);
  for (const digits of [key, `0x${key}`])
    expect(await ask('importRawKey', digits, 'password')).toBe(`0x${'07'.repeat(20)}`);
  expect(await ask('newAccount', 'password')).toBe(`0x${'07'.repeat(20)}`);
  expect(face.node.asked.dev.filter(([name]) => name === 'holdKey').map(([, held]) => held)).toEqual([
    new Uint8Array(32).fill(7),
    new Uint8Array(32).fill(7),
    undefined,
  ]);
  expect(await ask('importRawKey', '12', 'password')).toEqual([
    -32602,
    'invalid argument 0: invalid length, need 256 bits',
  ]);
  expect(await ask('importRawKey', 'xy', 'password')).toEqual([
    -32602,
    'invalid argument 0: invalid hex data for private key',
  ]);
  expect(await ask('unlockAccount', hexData(SENDER), 'password', 5)).toBe(true);
  expect(await ask('unlockAccount', hexData(OTHER))).toBe(false);
  expect(await ask('lockAccount', hexData(SENDER))).toBe(false);
});
