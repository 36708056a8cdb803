/** Mistyped addresses: the command says what is wrong, and sends nothing. */
import { describe, expect, test } from 'vitest';
import { addressTypo } from '../../src/core/keys/address-typo.js';
import { hex } from '../../src/core/bytes/hex.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { fakeNode, runCli, statusMethod, txServices } from './support.js';
import { PURE_KEY_CRYPTO } from '../support/pure-key-crypto.js';

const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BYTES = Uint8Array.from({ length: 20 }, (_, at) => at + 1);
const FOREIGN = encodeAddress('cosmos', BYTES);
const OPERATOR = encodeAddress('chronvaloper', BYTES);
const OWN = encodeAddress('chron', BYTES);

describe('addressTypo', () => {
  const slip = (text: string, prefix?: string) => addressTypo(PURE_KEY_CRYPTO, text, prefix);

  test('reports a wrong EIP-55 checksum', () => {
    const wrong = `${DEV1.slice(0, -2)}c8`;
    expect(slip(wrong)).toBe('its checksum (EIP-55) does not match');
    expect(slip(wrong.slice(2))).toBe('its checksum (EIP-55) does not match');
    for (const right of [
      DEV1,
      DEV1.slice(2),
      `0X${DEV1.slice(2)}`,
      DEV1.toLowerCase(),
      `0x${DEV1.slice(2).toUpperCase()}`,
    ])
      expect(slip(right)).toBeUndefined();
  });

  test('reports a wrong number of digits and a character that is no hexadecimal digit', () => {
    expect(slip('0x12')).toBe('expected 0x and 40 hexadecimal digits, found 2');
    expect(slip(`0x${'g'.repeat(40)}`)).toBe('expected 0x and 40 hexadecimal digits');
  });

  test('reports a wrong bech32 checksum and, with an expected prefix, another prefix', () => {
    expect(slip(`${FOREIGN.slice(0, -1)}${FOREIGN.endsWith('q') ? 'p' : 'q'}`)).toBe('its checksum is wrong');
    expect([slip(FOREIGN), slip(OWN, 'chron')]).toEqual([undefined, undefined]);
    expect(slip(FOREIGN, 'chron')).toBe('it begins with cosmos1, and accounts of this chain with chron1');
    expect(slip(OPERATOR, 'chron')).toBe('it begins with chronvaloper1, and accounts of this chain with chron1');
  });

  test('reports nothing for a name', () => {
    for (const name of ['dev0', 'alice', '', 'x1y']) expect(slip(name, 'chron')).toBeUndefined();
  });
});

const MISTYPED = `${DEV1.slice(0, -2)}c8`;

test.each([
  ['tx bank send dev0 TO 1achr', FOREIGN, 'it begins with cosmos1, and accounts of this chain with chron1'],
  ['tx bank multi-send dev0 dev1 TO 1achr', FOREIGN, 'it begins with cosmos1'],
  ['tx vesting create-vesting-account TO 1achr 5 --from dev0', FOREIGN, 'it begins with cosmos1'],
  ['tx feegrant grant dev0 TO', FOREIGN, 'it begins with cosmos1'],
  ['tx authz grant TO generic --msg-type /x --from dev0', FOREIGN, 'it begins with cosmos1'],
  [
    'tx staking delegate TO 1achr --from dev0',
    FOREIGN,
    'it begins with cosmos1, and accounts of this chain with chron1',
  ],
  [
    'tx staking delegate TO 1achr --from dev0',
    encodeAddress('chronvalcons', BYTES),
    'it is of a key that signs blocks',
  ],
  ['tx staking delegate TO 1achr --from dev0', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['query slashing signing-info TO', MISTYPED, 'its checksum (EIP-55) does not match'],
  [
    'tx staking delegate TO 1achr --from dev0',
    encodeAddress('cosmosvaloper', BYTES),
    'it begins with cosmosvaloper1, and validators of this chain with chronvaloper1',
  ],
  ['tx bank send dev0 TO 1achr', OPERATOR, 'it begins with chronvaloper1'],
  ['tx bank send dev0 TO 1achr', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['tx bank send TO dev0 1achr', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['tx erc20 convert-erc20 TO 5 --from dev0', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['query bank balances TO', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['query evm account TO', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['query evm 0x-to-bech32 TO', MISTYPED, 'its checksum (EIP-55) does not match'],
  ['dev fund TO 1chr', MISTYPED, 'its checksum (EIP-55) does not match'],
])('%s with %s is refused, and nothing is broadcast', async (line, address, reason) => {
  const node = await fakeNode(statusMethod, txServices());
  const words = line.split(' ').map((word) => (word === 'TO' ? address : word));
  const isSent = line.startsWith('tx');
  const run = await runCli([
    ...words,
    ...(isSent ? ['-y'] : []),
    ...(line.startsWith('dev') ? [] : ['--node', node.address]),
  ]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(`"${address}" is not an address: ${reason}`);
  expect(node.asked.some(({ method }) => method.startsWith('broadcast'))).toBe(false);
});

test('an operator argument accepts the account address of the operator in any form', async () => {
  const { address } = await fakeNode(statusMethod, txServices());
  const delegate = async (operator: string): Promise<string> => {
    const words = ['tx', 'staking', 'delegate', operator, '1achr', '--from', 'dev0', '--generate-only', '--gas', '1'];
    return (await runCli([...words, '--node', address])).stdout;
  };
  const expected = await delegate(OPERATOR);
  expect(expected).toContain(OPERATOR);
  for (const account of [OWN, `0x${hex(BYTES)}`]) expect(await delegate(account)).toBe(expected);
});

test('any address prefix is accepted offline, because the prefix of the chain is unknown', async () => {
  const run = await runCli([
    'tx',
    'bank',
    'send',
    'dev0',
    FOREIGN,
    '1achr',
    '--generate-only',
    '--offline',
    '--gas',
    '1',
  ]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain(FOREIGN);
});
