/** Forms of a validator in `query slashing signing-info` (`cosmossdk.io/client/v2` `autocli/flag/address.go`). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBech32, encodeAddress } from '../../src/core/sdk/codec/address.js';
import { hasGolden } from '../support/golden.js';
import { type RecordedRpc, serveRecorded } from './recorded-node.js';
import { runCli } from './support.js';

/** The first validator of the recorded chain. */
const CONSENSUS = 'cosmosvalcons19cw2jv596ky59w3wyt7cj0x2clyjfsapgmwnjd';
const KEY = 'DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw=';
const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const bytes = (address: string): Uint8Array => decodeBech32(address)?.bytes ?? new Uint8Array(0);

describe.skipIf(!hasGolden)('query slashing signing-info', () => {
  let node: RecordedRpc;
  beforeAll(async () => {
    node = await serveRecorded(658n);
  }, 120_000);
  afterAll(() => void node.server.close());

  const ask = (validator: string) => runCli(['query', 'slashing', 'signing-info', validator, '--node', node.address]);

  test.each([
    ['a consensus address', CONSENSUS],
    ['its bytes', `0x${Buffer.from(bytes(CONSENSUS)).toString('hex')}`],
    ['a key', JSON.stringify({ '@type': '/cosmos.crypto.ed25519.PubKey', key: KEY })],
  ])('accepts %s', async (_, validator) => {
    const { code, stdout, stderr } = await ask(validator);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(CONSENSUS);
  });

  test('resolves the name of a key to a consensus address', async () => {
    const { code, stderr } = await ask('dev0');
    expect(code).not.toBe(0);
    expect(stderr).toContain(`SigningInfo not found for validator ${encodeAddress('cosmosvalcons', bytes(DEV0))}`);
  });

  test.each([
    ['cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql', 'it is not of a key that signs blocks'],
    [`${CONSENSUS.slice(0, -1)}c`, 'its checksum is wrong'],
    ['{"@type":"/cosmos.crypto.secp256k1.PubKey","key":""}', 'expected a key of type /cosmos.crypto.ed25519.PubKey'],
    ['nobody', 'nobody'],
  ])('refuses %s', async (validator, reason) => {
    const { code, stdout, stderr } = await ask(validator);
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(reason);
  });
});
