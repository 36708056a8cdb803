import { createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { bloomBits, bloomOfLogs } from '../../../src/core/ethereum/bloom.js';
import { bytesOfDigits, hexData } from '../../../src/core/bytes/hex.js';
import { orderedTrieRoot } from '../../../src/core/ethereum/ordered-trie.js';
import { encodeReceipt } from '../../../src/core/ethereum/receipt-encoding.js';
import { revertMessage } from '../../../src/core/ethereum/revert-reason.js';
import { encodeRlp, rlpNumber } from '../../../src/core/ethereum/rlp.js';
import { readResponse, unwrapTransaction } from '../../../src/core/ethereum/wrapped-transaction.js';
import { bytes, crypto } from '../../adapters/eth-rpc/fake-node.js';

describe('the trie root of a list', () => {
  it('equals that of ethereumjs for random lists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 300 }),
        async (values) => {
          const trie = await createMPT();
          for (const [index, value] of values.entries()) await trie.put(encodeRlp(rlpNumber(BigInt(index))), value);
          expect(hexData(orderedTrieRoot(crypto, values))).toBe(hexData(trie.root()));
        },
      ),
      { numRuns: 15 },
    );
  });
  it('of an empty list is the well-known empty root', () =>
    expect(hexData(orderedTrieRoot(crypto, []))).toBe(
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    ));
});

describe('an encoded receipt', () => {
  it('of a type is that type and the receipt without one, also with a log of a megabyte', () => {
    const logs = [{ address: new Uint8Array(20), topics: [], data: new Uint8Array(1_000_000) }];
    const receipt = { status: 'success', cumulativeGasUsed: 21_000n, logsBloom: new Uint8Array(256), logs } as const;
    const typed = encodeReceipt(2, receipt);
    expect(typed[0]).toBe(2);
    expect(Buffer.compare(typed.subarray(1), encodeReceipt(0, receipt))).toBe(0);
  });
});

describe('the bloom of logs', () => {
  it('has exactly the bits of every address and topic', () => {
    const twenty = fc.uint8Array({ minLength: 20, maxLength: 20 });
    const topic = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ address: twenty, topics: fc.array(topic, { maxLength: 4 }) }), { maxLength: 5 }),
        (logs) => {
          const bloom = bloomOfLogs(crypto, logs);
          const wanted = new Set(
            logs.flatMap(({ address, topics }) => [address, ...topics]).flatMap((value) => bloomBits(crypto, value)),
          );
          const found = Array.from({ length: 2_048 }, (_, bit) => bit).filter(
            (bit) => ((bloom[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0,
          );
          expect(found).toEqual([...wanted].toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('hex', () => {
  it('data decodes to the encoded bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        expect(bytesOfDigits(hexData(value).slice(2))).toEqual(value);
      }),
    );
  });
  it.each(['1', '0g', 'g0', '  ', '+1', '0x'])('%j is refused', (digits) =>
    expect(bytesOfDigits(digits)).toBeUndefined(),
  );
});

describe('revert reasons', () => {
  const errorAbi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Mine(uint256)']);
  it('are decoded from Error(string) and Panic(uint256)', () => {
    expect(
      revertMessage(
        bytes(encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: ['because I said so'] }).slice(2)),
      ),
    ).toBe('execution reverted: because I said so');
    expect(revertMessage(bytes(encodeErrorResult({ abi: errorAbi, errorName: 'Panic', args: [0x12n] }).slice(2)))).toBe(
      'execution reverted: division or modulo by zero',
    );
    expect(revertMessage(bytes(encodeErrorResult({ abi: errorAbi, errorName: 'Panic', args: [0x99n] }).slice(2)))).toBe(
      'execution reverted: unknown panic code: 0x99',
    );
    expect(revertMessage(bytes(encodeErrorResult({ abi: errorAbi, errorName: 'Mine', args: [1n] }).slice(2)))).toBe(
      'execution reverted',
    );
  });
  it('are found without throwing in random revert data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
        expect(revertMessage(Uint8Array.of(0x08, 0xc3, 0x79, 0xa0, ...rest))).toMatch(/^execution reverted/u);
      }),
    );
  });
});

describe('wrapped transactions', () => {
  it('are not found in random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        expect(unwrapTransaction(value)).toBeUndefined();
        expect(readResponse(value)).toBeUndefined();
      }),
    );
  });
});
