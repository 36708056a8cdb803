/** Texts in the explorer's search field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, spellings } from '../../../src/adapters/pages/browser/data/crypto.js';
import { candidatesOf } from '../../../src/adapters/pages/browser/data/search.js';

const HASH = 'A29009E9F885977FD4919C80BA40558F4A001FDBA34FAF2CB4A673BD6583FD36';
const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BECH32 = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
const OPERATOR = 'chronvaloper17w0adeg64ky0daxwd2ugyuneellmjgnxwj0rr8';

describe('a search text', () => {
  it.each([
    [
      '12',
      [
        { kind: 'height', height: 12n },
        { kind: 'proposal', id: '12' },
      ],
    ],
    [
      '#1,234',
      [
        { kind: 'height', height: 1234n },
        { kind: 'proposal', id: '1234' },
      ],
    ],
    ['block 7', [{ kind: 'height', height: 7n }]],
    ['Proposal 3', [{ kind: 'proposal', id: '3' }]],
    [HASH, [{ kind: 'hash', hash: `0x${HASH.toLowerCase()}` }]],
    [`0x${HASH.toLowerCase()} `, [{ kind: 'hash', hash: `0x${HASH.toLowerCase()}` }]],
    [DEV1.toLowerCase(), [{ kind: 'account', address: DEV1 }]],
    [DEV1.slice(2), [{ kind: 'account', address: DEV1 }]],
    [BECH32, [{ kind: 'account', address: DEV1 }]],
    [OPERATOR, [{ kind: 'validator', address: OPERATOR }]],
    ['achr', [{ kind: 'word', word: 'achr' }]],
    [
      'cosmos1wzvhjux9rqfdcwspp37srdgwp5tac7wgm4sqjv',
      [{ kind: 'word', word: 'cosmos1wzvhjux9rqfdcwspp37srdgwp5tac7wgm4sqjv' }],
    ],
    ['  ', []],
  ])('%j gives its candidates', (text, candidates) => {
    expect(candidatesOf(text, 'chron')).toEqual(candidates);
  });

  it('of any form causes no error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Array.isArray(candidatesOf(text, 'chron'))).toBe(true);
      }),
    );
  });
});

it('an address is the same account in both spellings', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const { hex = '', bech32 } = spellings(bytes, 'chron');
      expect([addressOf(hex, 'chron')?.bech32, addressOf(bech32, 'chron')?.hex]).toEqual([bech32, hex]);
    }),
  );
});
