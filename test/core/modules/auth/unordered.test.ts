import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { auth } from '../../../../src/core/peers/evmd/auth.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { AuthInfoSchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { account, codes, DevChain, refusal, signed } from '../../app/dev-chain.js';
import { encode } from '../../../support/encode.js';

const SECOND = 1_000_000_000n;
const send = (sequence: bigint, change: Parameters<typeof signed>[4] = {}) =>
  signed(
    0,
    sequence,
    MsgSendSchema,
    { fromAddress: account(0).address, toAddress: account(1).address, amount: [coin('achr', 1n)] },
    change,
  );
const unordered = (seconds: bigint, sequence = 0n) => send(sequence, { unordered: seconds * SECOND });
const scene = (version = chronicle): DevChain => {
  const dev = new DevChain({ version });
  dev.now = 1_000n * SECOND;
  return dev;
};

/** The transaction with a key of another type, or without a key. */
function withKey(bytes: Uint8Array, typeUrl?: string): Uint8Array {
  const raw = fromBinary(TxRawSchema, bytes);
  const auth = fromBinary(AuthInfoSchema, raw.authInfoBytes);
  for (const info of auth.signerInfos) {
    if (typeUrl === undefined) delete info.publicKey;
    else if (info.publicKey !== undefined) info.publicKey.typeUrl = typeUrl;
  }
  return encode(TxRawSchema, { ...raw, authInfoBytes: toBinary(AuthInfoSchema, auth) });
}

describe('an unordered transaction', () => {
  it('is executed once for each timeout, beside transactions with sequences', () => {
    const dev = scene();
    expect(codes(dev.block(unordered(1_010n), unordered(1_005n), unordered(1_010n), send(0n)))).toEqual([0, 0, 18, 0]);
    expect(codes(dev.block(unordered(1_005n), send(1n)))).toEqual([18, 0]);
  });

  it('is forgotten after its timeout', () => {
    const dev = scene();
    const kept = () => [
      ...dev.state.range('acc', { start: Uint8Array.of(90), end: Uint8Array.of(91), reverse: false }),
    ];
    dev.block(unordered(1_010n), unordered(1_005n));
    expect(kept().length).toBe(2);
    dev.now = 1_005n * SECOND;
    dev.block();
    expect(kept().length).toBe(1);
    dev.now = 1_011n * SECOND;
    expect(codes(dev.block(unordered(1_010n)))).toEqual([42]);
    expect(kept()).toEqual([]);
  });

  it.each([
    ['sdk 18: unordered transaction must have timeout_timestamp set: invalid request', unordered(0n)],
    ['sdk 18: unordered tx ttl exceeds 10m0s: invalid request', unordered(1_601n)],
    ['sdk 18: sequence is not allowed for unordered transactions: invalid request', unordered(1_010n, 1n)],
  ])('is refused: %s', (expected, tx) => {
    expect(refusal(scene().block(tx))).toBe(expected);
  });

  it('is refused by a version without them', () => {
    const version = { ...chronicle, rules: new Map([auth]) };
    expect(refusal(scene(version).block(unordered(1_010n)))).toBe(
      'sdk 37: unordered transactions are not enabled: feature not supported',
    );
  });

  it('names no account to the mempool, and passes CheckTx once', () => {
    const dev = scene();
    expect(dev.app.describe(unordered(1_010n))?.accounts).toEqual([]);
    const check = dev.app.createCheckState(dev.state, dev.at());
    const checked = [unordered(1_010n), unordered(1_011n), unordered(1_010n)].map(
      (tx) => dev.app.checkTx(check, tx).code,
    );
    expect(checked).toEqual([0, 0, 18]);
  });
});

describe('a simulation', () => {
  it('accepts a fee of zero coins', () => {
    const dev = scene();
    expect(dev.app.simulate(dev.state, dev.at(), send(0n, { fee: 0n }))).toMatchObject({ ok: true });
  });

  it('charges the most expensive key type when the public key is of another type, or absent', () => {
    const dev = scene();
    const gasOf = (tx: Uint8Array): bigint => {
      const simulated = dev.app.simulate(dev.state, dev.at(), tx);
      if (!simulated.ok) throw new Error(simulated.log);
      return simulated.gasUsed;
    };
    const [exact, other, none] = [
      send(0n),
      withKey(send(0n), '/cosmos.crypto.secp256k1.PubKey'),
      withKey(send(0n)),
    ].map(gasOf);
    expect(exact).toBeGreaterThan(80_000n);
    // the name of the other type is shorter; without a key the account is not written
    expect(other).toBeGreaterThan((exact ?? 0n) - 5_000n);
    expect(none).toBeGreaterThan((exact ?? 0n) - 25_000n);
  });
});
