/** The types of transactions that the node fills, signs and sends, and the arguments that it refuses. */
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { hexData, hexQuantity } from '../../../src/core/bytes/hex.js';
import { decodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { recoverAuthority, recoverSender } from '../../../src/core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../src/core/ethereum/transaction.js';
import { type Answered, type Face, openFace } from './face.js';
import { CHAIN_ID, CONTRACT, OTHER, SENDER, TOPIC, bytes, crypto } from './fake-node.js';

const sender = hexData(SENDER);
const other = hexData(OTHER);
const refusal = ({ error }: Answered): readonly unknown[] => [error?.code, error?.message];
const authority = privateKeyToAccount(`0x${'07'.repeat(32)}`);

/** An authorization of the sender, whose account has nonce 5, for its own transaction. */
async function authorization(): Promise<object> {
  const {
    r,
    s,
    yParity = 0,
  } = await authority.signAuthorization({
    chainId: Number(CHAIN_ID),
    address: hexData(CONTRACT) as `0x${string}`,
    nonce: 6,
  });
  return {
    chainId: hexQuantity(CHAIN_ID),
    address: hexData(CONTRACT),
    nonce: '0x6',
    yParity: hexQuantity(yParity),
    r: hexQuantity(BigInt(r)),
    s: hexQuantity(BigInt(s)),
  };
}

/** The transactions that the node received. */
function sentBy({ node }: Face): readonly EthereumTransaction[] {
  return node.asked.sent.map((raw) => {
    const decoded = decodeTransaction(raw);
    if (!decoded.ok) throw new Error(decoded.message);
    return decoded.transaction;
  });
}

describe('the type of a filled transaction', () => {
  const accessList = [{ address: other, storageKeys: [hexData(TOPIC)] }];
  it.each([
    [{}, { type: 2, maxFeePerGas: 2_125_000_000n, maxPriorityFeePerGas: 125_000_000n, accessList: [] }],
    [{ accessList }, { type: 2, accessList: [{ address: OTHER, storageKeys: [TOPIC] }] }],
    [{ gasPrice: '0x77359400' }, { type: 0, gasPrice: 2_000_000_000n }],
    [
      { gasPrice: '0x77359400', type: '0x0' },
      { type: 0, gasPrice: 2_000_000_000n },
    ],
    [
      { gasPrice: '0x77359400', type: '0x2' },
      { type: 0, gasPrice: 2_000_000_000n },
    ],
    [
      { gasPrice: '0x77359400', type: '0x1' },
      { type: 1, gasPrice: 2_000_000_000n, accessList: [] },
    ],
    [
      { gasPrice: '0x77359400', accessList },
      { type: 1, accessList: [{ address: OTHER, storageKeys: [TOPIC] }] },
    ],
    [{ type: '0x0' }, { type: 0, gasPrice: 1_125_000_000n }],
    [{ type: 0 }, { type: 0, gasPrice: 1_125_000_000n }],
    [{ type: '0x1' }, { type: 1, gasPrice: 1_125_000_000n, accessList: [] }],
    [
      { type: '0x1', accessList },
      { type: 1, accessList: [{ address: OTHER, storageKeys: [TOPIC] }] },
    ],
    [
      { type: '0x0', maxFeePerGas: '0x77359400' },
      { type: 2, maxFeePerGas: 2_000_000_000n },
    ],
    [
      { type: '0x0', maxPriorityFeePerGas: '0x2' },
      { type: 2, maxPriorityFeePerGas: 2n },
    ],
    [{ type: '0x2' }, { type: 2, maxPriorityFeePerGas: 125_000_000n }],
  ])('follows from %j', async (args, expected) => {
    const face = openFace({ dev: true });
    const how = 'type' in args && typeof args.type === 'number' ? 'callOtherwise' : 'call';
    expect(refusal(await face[how]('eth_sendTransaction', { from: sender, to: other, ...args }))).toEqual([
      undefined,
      undefined,
    ]);
    const sent = sentBy(face);
    expect(sent).toMatchObject([expected]);
    const signed = (await face[how]('eth_signTransaction', { from: sender, to: other, ...args })).result as {
      raw: `0x${string}`;
      tx: object;
    };
    expect(decodeTransaction(bytes(signed.raw.slice(2)))).toMatchObject({ transaction: expected });
    expect(signed.tx).toMatchObject({ type: hexQuantity(expected.type), from: sender });
  });

  it.each(['0x3', '0x5', '0x7e'])('%s is refused', async (type) =>
    expect(
      refusal(await openFace({ dev: true }).call('eth_sendTransaction', { from: sender, to: other, type })),
    ).toEqual([-32000, 'transaction type not supported']),
  );
  it('is named in the error when it is not a quantity', async () =>
    expect(
      refusal(await openFace({ dev: true }).call('eth_sendTransaction', { from: sender, to: other, type: true })),
    ).toEqual([
      -32602,
      'invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.type of type hexutil.Uint64',
    ]));
});

describe('the estimate for a transaction without gas', () => {
  const estimated = async (args: object): Promise<unknown> => {
    const face = openFace({ dev: true });
    await face.call('eth_fillTransaction', { to: other, ...args });
    return face.node.asked.estimates[0]?.[0];
  };
  it.each([
    [{}, { maxFeePerGas: 2_125_000_000n, maxPriorityFeePerGas: 125_000_000n }],
    [{ maxPriorityFeePerGas: '0x77359400' }, { maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }],
    [{ maxFeePerGas: '0x2' }, { maxFeePerGas: 2n, maxPriorityFeePerGas: 2n }],
    [{ type: '0x0' }, { gasPrice: 1_125_000_000n, maxFeePerGas: undefined }],
  ])('uses the fees of the transaction: %j', async (args, fees) =>
    expect(await estimated({ from: sender, ...args })).toMatchObject(fees),
  );
  it('uses no fees for an account that cannot pay them, and ignores the nonce', async () => {
    const free = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined, nonce: undefined };
    expect(await estimated({ from: other, gasPrice: '0x1', nonce: '0x7' })).toEqual(expect.objectContaining(free));
    expect(await estimated({ from: sender, value: hexQuantity(10n ** 20n) })).toMatchObject({
      value: 10n ** 20n,
      ...free,
    });
    expect(await estimated({ from: sender, nonce: '0xffffffffffffffff' })).toMatchObject({ nonce: undefined });
  });
});

it.each([
  { maxFeePerBlobGas: '0x1' },
  { blobVersionedHashes: [] },
  { blobVersionedHashes: [hexData(TOPIC)] },
  { blobs: [] },
])('members of blob transactions are refused: %j', async (blobs) =>
  expect(
    refusal(await openFace({ dev: true }).call('eth_sendTransaction', { from: sender, to: other, ...blobs })),
  ).toEqual([-32000, 'transaction type not supported']),
);

const EMPTY_AUTHORIZATION = { chainId: '0x0', address: other, nonce: '0x0', yParity: '0x0', r: '0x0', s: '0x0' };

describe('authorizations of a filled transaction', () => {
  it('are signed and sent as type 4, with the gas that they cost', async () => {
    const face = openFace({ dev: true });
    const args = { from: sender, to: other, authorizationList: [await authorization()] };
    expect((await face.call('eth_sendTransaction', args)).error).toBeUndefined();
    const [sent] = sentBy(face);
    expect(sent).toMatchObject({
      type: 4,
      to: OTHER,
      nonce: 5n,
      gasLimit: 21_000n,
      maxFeePerGas: 2_125_000_000n,
      maxPriorityFeePerGas: 125_000_000n,
      accessList: [],
    });
    if (sent?.type !== 4) throw new Error('not of type 4');
    expect(recoverSender(crypto, sent, CHAIN_ID)).toEqual({ ok: true, sender: SENDER });
    const [first] = sent.authorizations;
    expect(first && recoverAuthority(crypto, first)).toEqual(SENDER);
    // The estimate sees the delegation.
    expect(face.node.asked.estimates[0]?.[0]).toMatchObject({ authorizations: [{ nonce: 6n }] });
    const filled = (await face.call('eth_fillTransaction', args)).result as { raw: string; tx: object };
    expect(filled.raw).toMatch(/^0x04/);
    expect(filled.tx).toMatchObject({ type: '0x4', authorizationList: [{ nonce: '0x6' }] });
    const signed = (await face.call('eth_signTransaction', { ...args, gas: '0xffff' })).result as { raw: string };
    expect(decodeTransaction(bytes(signed.raw.slice(2)))).toMatchObject({
      transaction: { type: 4, gasLimit: 65_535n },
    });
  });

  it.each([
    [{ to: other, authorizationList: [] }, 'set code tx must have at least one authorization tuple'],
    [{ to: other, type: '0x4' }, 'set code tx must have at least one authorization tuple'],
    [{ to: other, authorizationList: [], gasPrice: '0x77359400' }, 'both gasPrice and authorizationList specified'],
    [
      { data: '0x60', authorizationList: [EMPTY_AUTHORIZATION] },
      'authorizationList provided for contract creation, but "to" field is missing',
    ],
  ])('%j is refused', async (args, message) => {
    const face = openFace({ dev: true });
    for (const name of ['eth_sendTransaction', 'eth_signTransaction', 'eth_fillTransaction', 'eth_sendTransactionSync'])
      expect(refusal(await face.call(name, { from: sender, ...args }))).toEqual([-32000, message]);
    expect(face.node.asked.sent).toHaveLength(0);
  });

  it('are not lost when eth_resend gives a gas price: it is refused', async () => {
    const face = openFace({ dev: true });
    const args = { from: sender, to: other, gas: '0xffff', nonce: '0x5', authorizationList: [await authorization()] };
    await face.call('eth_sendTransaction', args);
    const [transaction] = sentBy(face);
    if (transaction === undefined) throw new Error('nothing was sent');
    face.node.pending.push({ hash: TOPIC, from: SENDER, transaction });
    expect(refusal(await face.call('eth_resend', args, '0x77359400'))).toEqual([
      -32000,
      'both gasPrice and authorizationList specified',
    ]);
    expect((await face.call('eth_resend', args, null, '0x1ffff')).error).toBeUndefined();
    expect(sentBy(face)[1]).toMatchObject({ type: 4, gasLimit: 0x1ffffn });
  });
});

it('an unsigned transaction has v, r and s of zero, whatever its type', async () => {
  const face = openFace({ dev: true });
  for (const fees of [{ gasPrice: '0x77359400' }, { gasPrice: '0x77359400', accessList: [] }, {}]) {
    const filled = (await face.call('eth_fillTransaction', { from: sender, to: other, nonce: '0x1', ...fees }))
      .result as { raw: string };
    expect(filled.raw).toMatch(/808080$/);
  }
  // Nonce, price, gas, recipient, value and data; v has no chain id.
  const legacy = (
    await face.call('eth_fillTransaction', { from: sender, to: other, nonce: '0x1', gasPrice: '0x77359400' })
  ).result as { raw: string };
  expect(legacy.raw).toBe(`0xe301847735940082520894${'22'.repeat(20)}8080808080`);
});
