import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeRlp, encodeRlp, type RlpItem } from '../../../src/core/ethereum/rlp.js';
import { decodeTransaction, encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import {
  effectiveGasPrice,
  recoverAuthority,
  recoverSender,
  signingHash,
  transactionHash,
} from '../../../src/core/ethereum/transaction-sender.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { crypto, fromHex, toHex } from '../app/support.js';

interface Vector {
  readonly name: string;
  readonly from?: string;
  readonly raw_rlp?: string;
  readonly eth_hash?: string;
  readonly signing_hash?: string;
}

const unprefixed = (text: string | undefined): Uint8Array => fromHex((text ?? '').replace(/^0x/, ''));
const CHAIN = 262144n;
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const decoded = (bytes: Uint8Array) => {
  const result = decodeTransaction(bytes);
  if (!result.ok) throw new Error(result.message);
  return result.transaction;
};
const message = (bytes: Uint8Array): string => {
  const result = decodeTransaction(bytes);
  return result.ok ? 'accepted' : result.message;
};
const signed = async (): Promise<Uint8Array> =>
  unprefixed(
    await account.signTransaction({
      type: 'eip1559',
      chainId: Number(CHAIN),
      nonce: 3,
      gas: 21000n,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
      to: account.address,
      value: 5n,
    }),
  );

describe.skipIf(!hasGolden)('recorded Ethereum transactions', () => {
  const vectors = hasGolden ? goldenLines<Vector>('tx-vectors/ethereum.jsonl') : [];

  it.each(vectors.filter(({ eth_hash }) => eth_hash !== undefined))(
    '$name decodes to the recorded bytes, hashes and sender',
    ({ raw_rlp, eth_hash, signing_hash, from }) => {
      const raw = unprefixed(raw_rlp);
      const transaction = decoded(raw);
      expect(toHex(encodeTransaction(transaction))).toBe(toHex(raw));
      expect(`0x${toHex(transactionHash(crypto, transaction))}`).toBe(eth_hash);
      if (signing_hash !== undefined) expect(`0x${toHex(signingHash(crypto, transaction))}`).toBe(signing_hash);
      const sender = recoverSender(crypto, transaction, CHAIN);
      expect(sender.ok ? `0x${toHex(sender.sender)}` : sender.message).toBe(from);
      if (transaction.type === 4) {
        for (const authorization of transaction.authorizations)
          expect(recoverAuthority(crypto, authorization)).toBeInstanceOf(Uint8Array);
      }
    },
  );

  it("of type 3 (blob) are refused with geth's error", () => {
    const blob = vectors.find(({ name }) => name === 'type3 blob tx');
    expect(message(unprefixed(blob?.raw_rlp))).toBe('transaction type not supported');
  });
});

it('a blob transaction of eth_simulateV1 has the hash that geth computes', () => {
  // ethereum/execution-apis, tests/eth_simulateV1/ethSimulate-blobs.io
  const transaction = {
    type: 3,
    chainId: 0xc72dd9d5e883en,
    nonce: 0n,
    gasLimit: 0x2faf080n,
    maxFeePerGas: 16n,
    maxPriorityFeePerGas: 0n,
    to: unprefixed('0xc200000000000000000000000000000000000000'),
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
    blobs: {
      hashes: [unprefixed('0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014')],
      maxFeePerBlobGas: 10n,
    },
    r: 0n,
    s: 0n,
    yParity: 0,
  } as const;
  expect(toHex(transactionHash(crypto, transaction))).toBe(
    '6dd302137bafa6817cdd92b1157be1eb7b884b32e9bcab7f4084ee4c05a5dba3',
  );
});

describe('decoding Ethereum transactions', () => {
  it.each([
    ['empty input', '', 'typed transaction too short'],
    ['one byte', '02', 'typed transaction too short'],
    ['type 0 in an envelope', '00c0', 'transaction type not supported'],
    ['an unknown type', '05c0', 'transaction type not supported'],
    ['the highest type byte', '7fc0', 'transaction type not supported'],
    ['a string', '83646f67', 'rlp: expected input list for types.LegacyTx'],
    ['a truncated list', 'f86880', 'rlp: value size exceeds available input length'],
    ['a truncated size', 'ff01', 'rlp: value size exceeds available input length'],
    ['a truncated size within a list', 'c1b8', 'rlp: element is larger than containing list'],
    ['an empty list', 'c0', 'rlp: too few elements for types.LegacyTx'],
    ['an empty typed list', '02c0', 'rlp: too few elements for types.DynamicFeeTx'],
    ['a size with a leading zero', 'f80000', 'rlp: non-canonical size information'],
    ['a long size for a short list', `f837${'80'.repeat(55)}`, 'rlp: non-canonical size information'],
    ['a wrapped single byte', 'c28105', 'rlp: non-canonical size information'],
    [
      'a number with a leading zero',
      'c100',
      'rlp: non-canonical integer (leading zero bytes) for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a nonce of nine bytes',
      'ca89010000000000000000',
      'rlp: input string too long for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    ['a list as nonce', 'c1c0', 'rlp: expected input string or byte for uint64, decoding into (types.LegacyTx).Nonce'],
    [
      'a price of 33 bytes',
      `e380a1${'01'.repeat(33)}`,
      'rlp: value too large for *big.Int, decoding into (types.LegacyTx).GasPrice',
    ],
    ['an element over its list', 'c283010203', 'rlp: element is larger than containing list'],
  ])('refuses %s', (_, bytes, text) => {
    expect(message(fromHex(bytes))).toBe(text);
  });

  it('refuses trailing bytes, a surplus element, a missing element and elements of a wrong kind', async () => {
    const raw = await signed();
    expect(message(Uint8Array.from([...raw, 0]))).toBe('rlp: input contains more than one value');
    const parsed = decodeRlp(raw.subarray(1));
    if (!parsed.ok || parsed.item instanceof Uint8Array) throw new Error('list');
    const withItems = (items: readonly RlpItem[]): Uint8Array => Uint8Array.from([2, ...encodeRlp(items)]);
    expect(message(withItems([...parsed.item, Uint8Array.of(1)]))).toBe(
      'rlp: input list has too many elements for types.DynamicFeeTx',
    );
    expect(message(withItems(parsed.item.slice(0, -1)))).toBe('rlp: too few elements for types.DynamicFeeTx');
    expect(message(withItems(parsed.item.with(5, new Uint8Array(19).fill(1))))).toBe(
      'rlp: input string too short for common.Address, decoding into (types.DynamicFeeTx).To',
    );
    expect(message(withItems(parsed.item.with(8, Uint8Array.of(1))))).toBe(
      'rlp: expected input list for types.AccessList, decoding into (types.DynamicFeeTx).AccessList',
    );
    expect(message(withItems(parsed.item.with(9, Uint8Array.of(2))))).toBe('invalid transaction v, r, s values');
  });

  it('refuses lists that are nested too deeply', () => {
    expect(message(Uint8Array.of(...Array.from({ length: 40 }, (_, i) => 0xc0 + 39 - i)))).toBe(
      'rlp: lists are nested too deeply',
    );
  });

  /** Texts of geth for bytes that are no transaction. */
  const REFUSALS =
    /^(rlp: .+|transaction type not supported|typed transaction too short|invalid transaction v, r, s values)$/u;

  it('refuses random bytes with a text of geth', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0xf8, 0xc9, 1, 2, 3, 4), (bytes, head) => {
        expect(message(Uint8Array.from([head, ...bytes]))).toMatch(REFUSALS);
      }),
    );
  });

  it('encodes random fields that it accepts to the same bytes, and refuses the others with a text of geth', async () => {
    const parsed = decodeRlp((await signed()).subarray(1));
    if (!parsed.ok || parsed.item instanceof Uint8Array) throw new Error('list');
    const fields = parsed.item;
    const bytes = fc.uint8Array({ maxLength: 40 });
    const item = fc.oneof(bytes, fc.array(fc.tuple(fc.uint8Array({ minLength: 19, maxLength: 21 }), fc.array(bytes))));
    const found = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.nat(fields.length - 1), item, (at, value) => {
        const raw = Uint8Array.from([2, ...encodeRlp(fields.with(at, value))]);
        const result = decodeTransaction(raw);
        found[result.ok ? 'accepted' : 'refused'] += 1;
        if (result.ok) expect(toHex(encodeTransaction(result.transaction))).toBe(toHex(raw));
        else expect(result.message).toMatch(REFUSALS);
      }),
      { numRuns: 500 },
    );
    expect([found.accepted > 0, found.refused > 0]).toEqual([true, true]);
  });

  it('gives another hash and another sender to a signed transaction that is valid after a changed byte', async () => {
    const raw = await signed();
    const original = toHex(transactionHash(crypto, decoded(raw)));
    let valid = 0;
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = raw.slice();
        changed[at] = (changed[at] ?? 0) ^ flip;
        const result = decodeTransaction(changed);
        if (!result.ok) return;
        valid += 1;
        expect(toHex(encodeTransaction(result.transaction))).toBe(toHex(changed));
        expect(toHex(transactionHash(crypto, result.transaction))).not.toBe(original);
        const sender = recoverSender(crypto, result.transaction, CHAIN);
        if (sender.ok) expect(toHex(sender.sender)).not.toBe(account.address.slice(2).toLowerCase());
      }),
    );
    expect(valid).toBeGreaterThan(20);
  });
});

describe('recovering the sender', () => {
  it('refuses another chain id, high s and signature values out of range', async () => {
    const transaction = decoded(await signed());
    const good = recoverSender(crypto, transaction, CHAIN);
    expect(good.ok && `0x${toHex(good.sender)}`).toBe(account.address.toLowerCase());
    expect(recoverSender(crypto, transaction, 1n)).toEqual({
      ok: false,
      message: 'invalid sender: invalid chain id for signer: have 262144 want 1',
    });
    const invalid = { ok: false, message: 'invalid sender: invalid transaction v, r, s values' };
    const twin = {
      ...transaction,
      s: ORDER - transaction.s,
      yParity: transaction.yParity === 0 ? (1 as const) : (0 as const),
    };
    expect(recoverSender(crypto, twin, CHAIN)).toEqual(invalid);
    expect(recoverSender(crypto, { ...transaction, r: 0n }, CHAIN)).toEqual(invalid);
    expect(recoverSender(crypto, { ...transaction, s: 0n }, CHAIN)).toEqual(invalid);
    expect(recoverSender(crypto, { ...transaction, r: ORDER }, CHAIN)).toEqual(invalid);
    // No point of the curve has this x coordinate.
    const unrecovered = { ok: false, message: 'invalid sender: recovery failed' };
    expect(recoverSender(crypto, { ...transaction, r: 5n }, CHAIN)).toEqual(unrecovered);
  });

  it('works for a legacy transaction without chain id', async () => {
    const raw = unprefixed(
      await account.signTransaction({ type: 'legacy', nonce: 0, gas: 21000n, gasPrice: 7n, to: account.address }),
    );
    const transaction = decoded(raw);
    expect(transaction.chainId).toBeUndefined();
    const sender = recoverSender(crypto, transaction, CHAIN);
    expect(sender.ok && toHex(sender.sender)).toBe(account.address.slice(2).toLowerCase());
    expect(effectiveGasPrice(transaction, 1n)).toBe(7n);
  });

  it('the effective gas price is base fee plus tip, capped by maxFeePerGas', async () => {
    const transaction = decoded(await signed());
    expect([0n, 1n, 2n, 3n].map((baseFee) => effectiveGasPrice(transaction, baseFee))).toEqual([1n, 2n, 2n, 2n]);
  });
});
