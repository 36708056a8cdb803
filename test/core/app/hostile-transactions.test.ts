/** Transactions of an attacker who knows the rules and looks for gaps in them. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AnySchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { signatureDataOf } from '../../../src/core/modules/auth/ante/multisig.js';
import { MESSAGE_TYPES } from '../../../src/core/sdk/codec/message-types.js';
import { aminoSignBytes } from '../../../src/core/sdk/signing/sign-amino.js';
import { directSignBytes } from '../../../src/core/sdk/signing/sign-doc.js';
import { accountKey } from '../../../src/core/modules/auth/accounts.js';
import { unwrapTransaction } from '../../../src/core/ethereum/wrapped-transaction.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { unsignedBy } from '../../../src/core/ethereum/unsigned.js';
import { wrapEthereumTransaction } from '../../../src/core/modules/evm/ethereum-message.js';
import { setAccountTx } from '../../../src/core/modules/dev/set-account.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { MultiSignatureSchema } from '../../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  type AuthInfo,
  AuthInfoSchema,
  TipSchema,
  type TxBody,
  TxBodySchema,
  TxRawSchema,
  ModeInfoSchema,
} from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { account, chain, codes, DevChain } from './dev-chain.js';
import { addressOf, bytesOf, ethereumChain, evm, GWEI, signer, tx, wrap } from './ethereum-chain.js';
import { crypto } from './support.js';
import { signDigest } from '../../support/secp256k1.js';
import { encode } from '../../support/encode.js';

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const sendOf = (fromAddress = account(0).address): Uint8Array =>
  encode(MsgSendSchema, { fromAddress, toAddress: account(1).address, amount: [{ denom: 'achr', amount: '1' }] });
const bodyOf = (...values: readonly Uint8Array[]): Uint8Array =>
  encode(TxBodySchema, { messages: values.map((value) => ({ typeUrl: SEND, value: Uint8Array.from(value) })) });

/** A transaction signed by account 0 with this sequence; the same signature `signers` times. */
function signedBody(
  bodyBytes: Uint8Array,
  { signers = 1, sequence = 0n, more = new Uint8Array(0), mode = SignMode.DIRECT } = {},
): Uint8Array {
  const { secret, key } = account(0);
  const publicKey = {
    typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
    value: encode(PubKeySchema, { key }),
  };
  const info = { publicKey, modeInfo: { sum: { case: 'single' as const, value: { mode } } }, sequence };
  const gasLimit = 300_000n;
  const authInfoBytes = concat(
    encode(AuthInfoSchema, {
      signerInfos: Array.from({ length: signers }, () => info),
      fee: { amount: [{ denom: 'achr', amount: String(gasLimit * 2n * GWEI) }], gasLimit },
    }),
    more,
  );
  const signBytes =
    mode === SignMode.DIRECT
      ? directSignBytes(bodyBytes, authInfoBytes, chain.chainId, 0n)
      : aminoSignBytes(
          fromBinary(TxBodySchema, bodyBytes),
          fromBinary(AuthInfoSchema, authInfoBytes),
          { chainId: chain.chainId, accountNumber: 0n, sequence },
          MESSAGE_TYPES,
        );
  const { signature } = signDigest(crypto.keccak256(signBytes), secret);
  return encode(TxRawSchema, {
    bodyBytes,
    authInfoBytes,
    signatures: Array.from({ length: signers }, () => signature),
  });
}

/** A length-delimited field; no message of the test has one of these numbers. */
const field = (number: number): Uint8Array<ArrayBuffer> =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(new Uint8Array(5)).finish();

/** An `Any` with a multisig key whose only member is a multisig key, nested `depth` times. */
function nestedKeys(depth: number): Uint8Array {
  const url = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string('/cosmos.crypto.multisig.LegacyAminoPubKey')
    .finish();
  const lengthOf = (bytes: number): Uint8Array =>
    new BinaryWriter().tag(2, WireType.LengthDelimited).uint32(bytes).finish();
  const parts: Uint8Array[] = [];
  for (let at = 0, size = 0; at < 2 * depth - 1; at += 1) {
    const part = at % 2 === 0 ? concat(url, lengthOf(size)) : lengthOf(size);
    parts.push(part);
    size += part.length;
  }
  return concat(...parts.toReversed());
}

/** Code and log of a transaction in a block; CheckTx must give the same. */
function refusalOf(
  dev: DevChain,
  bytes: Uint8Array,
  isVerified = false,
): readonly [number | undefined, string | undefined] {
  const check = dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes, isVerified);
  const result = dev.execute({ ...dev.next([bytes]), ...(isVerified && { verified: new Set([0]) }) });
  if (result.kind !== 'executed') throw new Error(result.reason);
  const [one] = result.results.txResults;
  expect([check.code, check.log]).toEqual([one?.code, one?.log]);
  return [one?.code, one?.log];
}

/** An Ethereum transaction whose unsigned Cosmos wrapper was changed. */
async function rewrapped(change: (body: TxBody, authInfo: AuthInfo) => void): Promise<Uint8Array> {
  const raw = fromBinary(TxRawSchema, await tx(0, { nonce: 0, to: signer(1).address }));
  const [body, authInfo] = [fromBinary(TxBodySchema, raw.bodyBytes), fromBinary(AuthInfoSchema, raw.authInfoBytes)];
  change(body, authInfo);
  return encode(TxRawSchema, {
    bodyBytes: toBinary(TxBodySchema, body),
    authInfoBytes: toBinary(AuthInfoSchema, authInfo),
  });
}

describe('signers', () => {
  it('the bech32 and the hex form of an address count as one signer', () => {
    const dev = ethereumChain();
    const body = bodyOf(sendOf(), sendOf(signer(0).address));
    const once = signedBody(body);
    expect(dev.app.describe(once)?.accounts).toHaveLength(1);
    expect(refusalOf(dev, signedBody(body, { signers: 2 }))).toEqual([
      4,
      'wrong number of signers; expected 1, got 2: unauthorized',
    ]);
    expect(refusalOf(dev, once)).toEqual([0, '']);
  });

  it('an unsigned development transaction may not name a fee payer or granter', () => {
    const dev = ethereumChain();
    const raw = fromBinary(TxRawSchema, setAccountTx({ address: account(0).address, sequence: 0n }, { nonce: 7n }));
    const authInfo = fromBinary(AuthInfoSchema, raw.authInfoBytes);
    const paidBy = (name: 'payer' | 'granter'): Uint8Array =>
      encode(TxRawSchema, {
        ...raw,
        authInfoBytes: encode(AuthInfoSchema, {
          fee: { gasLimit: authInfo.fee?.gasLimit ?? 0n, [name]: account(1).address },
        }),
      });
    for (const name of ['payer', 'granter'] as const)
      expect(refusalOf(dev, paidBy(name))).toEqual([18, 'a development transaction has no payer: invalid request']);
  });

  it('a transaction without chain id (pre EIP-155) is refused, except in blocks of a development chain', async () => {
    const unprotected = wrap(
      bytesOf(
        await signer(0).signTransaction({
          type: 'legacy',
          gas: 21_000n,
          gasPrice: 2n * GWEI,
          nonce: 0,
          to: signer(1).address,
          value: 1n,
        }),
      ),
      0,
    );
    expect(refusalOf(new DevChain({ evm }, 4, false), unprotected)).toEqual([
      24,
      'only replay-protected (EIP-155) transactions allowed: tx intended signer does not match the given signer',
    ]);
    expect(refusalOf(new DevChain({ evm }, 4, false), unprotected, true)[0]).toBe(24);
    // A node in dev mode may admit it, so blocks of a development chain execute it; CheckTx always refuses it.
    const dev = ethereumChain();
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), unprotected).code).toBe(24);
    expect(codes(dev.block(unprotected))).toEqual([0]);
  });

  it('an unsigned Ethereum transaction runs in blocks of development chains only, and CheckTx refuses it', () => {
    const sender = addressOf(0);
    const unsigned = unsignedBy(
      {
        type: 0,
        chainId: chain.evmChainId,
        nonce: 0n,
        gasPrice: 2n * GWEI,
        gasLimit: 21_000n,
        to: addressOf(1),
        value: 1n,
        data: new Uint8Array(0),
      },
      sender,
    );
    const wrapped = wrapEthereumTransaction(encodeTransaction(unsigned), unsigned, sender, chain.baseDenom);
    expect(refusalOf(new DevChain({ evm }, 4, false), wrapped)[0]).toBe(18);
    expect(refusalOf(new DevChain({ evm }, 4, false), wrapped, true)[0]).toBe(18);
    const dev = ethereumChain();
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), wrapped).code).toBe(18);
    // The sender in the wrapper must equal the sender in the transaction.
    const other = wrapEthereumTransaction(encodeTransaction(unsigned), unsigned, addressOf(2), chain.baseDenom);
    expect(codes(dev.block(other, wrapped))).toEqual([18, 0]);
  });
});

describe('gas', () => {
  it('a gas limit above the int64 maximum is refused in an Ethereum transaction', async () => {
    expect(refusalOf(ethereumChain(), await tx(0, { nonce: 0, to: signer(1).address, gas: 1n << 63n }))).toEqual([
      18,
      'tx basic validation failed: invalid gas supplied; 9223372036854775808 > 9223372036854775807: invalid request',
    ]);
  });
});

describe('timeouts', () => {
  const until = (seconds: bigint, nanos = 0): Uint8Array =>
    signedBody(
      encode(TxBodySchema, { messages: [{ typeUrl: SEND, value: sendOf() }], timeoutTimestamp: { seconds, nanos } }),
    );

  it('a transaction whose timeout timestamp is before the block time is refused', () => {
    const dev = ethereumChain();
    dev.block();
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), until(-5n, 1)).log).toBe(
      'block time: 1970-01-01 00:00:00.000000001 +0000 UTC, timeout timestamp: 1969-12-31 23:59:55.000000001 +0000 UTC: tx timeout',
    );
    expect(codes(dev.block(until(-5n, 1)))).toEqual([42]);
    expect(codes(dev.block(until(5n)))).toEqual([0]);
  });

  it('the zero times of Go and of Unix count as no timeout, as in the SDK', () => {
    for (const bytes of [until(-62_135_596_800n), until(0n)]) {
      const dev = ethereumChain();
      dev.block();
      expect(refusalOf(dev, bytes)).toEqual([0, '']);
    }
    const dev = ethereumChain();
    dev.block();
    expect(codes(dev.block(until(-62_135_596_800n, 1)))).toEqual([42]);
  });

  it('a timeout timestamp out of range makes the transaction undecodable, with 0 gas wanted', () => {
    for (const bytes of [until(253_402_300_800n), until(-62_135_596_801n), until(1n, -1), until(1n, 1_000_000_000)]) {
      const dev = ethereumChain();
      expect(refusalOf(dev, bytes)).toEqual([2, expect.stringMatching(/^timestamp: .* out of range: tx parse error/)]);
      const result = dev.block(bytes);
      expect(result.kind === 'executed' && result.results.txResults.map(({ gasWanted }) => gasWanted)).toEqual([0n]);
    }
    const last = until(253_402_300_799n, 999_999_999);
    expect(refusalOf(ethereumChain(), last)).toEqual([0, '']);
  });
});

describe('decoding of a transaction', () => {
  it.each([
    ['in a message', signedBody(bodyOf(concat(sendOf(), field(9)))), 'cosmos.bank.v1beta1.MsgSend'],
    [
      'in a coin of a message',
      signedBody(
        bodyOf(concat(sendOf(), new BinaryWriter().tag(3, WireType.LengthDelimited).bytes(field(9)).finish())),
      ),
      'cosmos.base.v1beta1.Coin',
    ],
    [
      'in the fee',
      signedBody(bodyOf(sendOf()), {
        more: new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(field(9)).finish(),
      }),
      'cosmos.tx.v1beta1.Fee',
    ],
    [
      'beside a public key',
      signedBody(bodyOf(sendOf()), {
        more: new BinaryWriter()
          .tag(1, WireType.LengthDelimited)
          .bytes(new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(field(9)).finish())
          .finish(),
      }),
      'google.protobuf.Any',
    ],
  ])('rejects an unknown field %s', (_, bytes, name) => {
    expect(refusalOf(ethereumChain(), bytes)).toEqual([
      2,
      `errUnknownField "/${name}": {TagNum: 9, WireType:"bytes"}: tx parse error: tx parse error`,
    ]);
  });

  it('searches unknown fields in at most 100 nested messages and refuses deeper nesting', () => {
    const outcome = (depth: number): readonly unknown[] => {
      const signerInfo = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(nestedKeys(depth)).finish();
      const more = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(signerInfo).finish();
      const result = ethereumChain().block(signedBody(bodyOf(sendOf()), { more: Uint8Array.from(more) }));
      return result.kind === 'executed' ? result.results.txResults.map(({ code, gasWanted }) => [code, gasWanted]) : [];
    };
    expect([49, 50, 900, 3_000].map(outcome)).toEqual([[[4, 300_000n]], [[2, 0n]], [[2, 0n]], [[2, 0n]]]);
  });

  it('accepts unknown fields of a body whose number marks them as non-critical (1024 to 2047)', () => {
    const dev = ethereumChain();
    expect(refusalOf(dev, signedBody(concat(bodyOf(concat(sendOf(), field(1024 + 9))), field(1024 + 8))))).toEqual([
      0,
      '',
    ]);
    expect(refusalOf(dev, signedBody(bodyOf(sendOf()), { sequence: 1n, more: field(1024 + 8) }))[0]).toBe(2);
    expect(refusalOf(dev, concat(signedBody(bodyOf(sendOf()), { sequence: 1n }), field(1024 + 8)))[0]).toBe(2);
  });

  it('refuses unknown fields in amino JSON mode, and a timeout that is appended after signing', () => {
    const mode = SignMode.LEGACY_AMINO_JSON;
    const time = encode(TxBodySchema, { timeoutTimestamp: { seconds: 5n } });
    const later = encode(TxBodySchema, { timeoutTimestamp: { seconds: 6n } });
    const plain = bodyOf(sendOf());
    expect(refusalOf(ethereumChain(), signedBody(concat(plain, field(1024 + 8)), { mode }))[0]).toBe(4);
    for (const body of [plain, concat(plain, time)]) {
      const bytes = signedBody(body, { mode });
      expect(refusalOf(ethereumChain(), bytes)).toEqual([0, '']);
      const raw = fromBinary(TxRawSchema, bytes);
      const other = encode(TxRawSchema, { ...raw, bodyBytes: concat(body, later) });
      expect(refusalOf(ethereumChain(), other)[0]).toBe(4);
    }
  });

  it('rejects unknown fields in the unsigned MultiSignature of a multisig key', () => {
    const signatures = [Uint8Array.of(1), Uint8Array.of(2)];
    const bytes = encode(MultiSignatureSchema, { signatures });
    const single = { sum: { case: 'single' as const, value: { mode: SignMode.DIRECT } } };
    const modeInfo = create(ModeInfoSchema, { sum: { case: 'multi', value: { modeInfos: [single, single] } } });
    expect(signatureDataOf(modeInfo, bytes)).toMatchObject({
      parts: signatures.map((signature) => ({ kind: 'single', signature })),
    });
    expect(() => signatureDataOf(modeInfo, concat(bytes, field(9)))).toThrow(
      'rejecting unrecognized fields found in MultiSignature',
    );
  });

  it('refuses a known field with a wrong wire type', () => {
    const memo = new BinaryWriter()
      .tag(2, WireType.Varint)
      .uint32(3)
      .raw(Uint8Array.of(65, 66, 67))
      .finish();
    expect(refusalOf(ethereumChain(), signedBody(concat(bodyOf(sendOf()), memo)))).toEqual([
      2,
      'proto: wrong wireType = 0 for field memo: tx parse error: tx parse error',
    ]);
  });

  it('rejects unknown fields in the wrapper of an Ethereum transaction', async () => {
    const changes: readonly Parameters<typeof rewrapped>[0][] = [
      ({ messages: [any] }) => {
        if (any !== undefined) any.value = Uint8Array.from(concat(any.value, field(1)));
      },
      ({ extensionOptions: [any] }) => {
        if (any !== undefined) any.value = field(1);
      },
      (body) => {
        body.extensionOptions = [
          create(AnySchema, { typeUrl: '/ethermint.evm.v1.ExtensionOptionsEthereumTx', value: field(1) }),
        ];
      },
    ];
    for (const change of changes) expect(refusalOf(ethereumChain(), await rewrapped(change))[0]).toBe(2);
  });

  it('refuses a wrapper that adds more than 1,024 bytes to the raw Ethereum transaction', async () => {
    const around = async (bytes: number): Promise<Uint8Array> => {
      const overwritten = new BinaryWriter().tag(5, WireType.LengthDelimited).bytes(new Uint8Array(bytes)).finish();
      return rewrapped(({ messages: [any] }) => {
        if (any !== undefined) any.value = Uint8Array.from(concat(overwritten, any.value));
      });
    };
    const rest = (bytes: Uint8Array): number => bytes.length - (unwrapTransaction(bytes)?.raw.length ?? 0);
    const room = 1_024 - (rest(await around(500)) - 500);
    const [fits, over] = [await around(room), await around(room + 1)];
    expect([rest(fits), rest(over)]).toEqual([1_024, 1_025]);
    expect(refusalOf(ethereumChain(), fits)).toEqual([0, '']);
    expect(refusalOf(ethereumChain(), over)).toEqual([
      18,
      'the wrapping of an Ethereum transaction has at most 1024 bytes: invalid request',
    ]);
  });

  it('refuses a wrapper with a tip or a timeout', async () => {
    const changes: readonly Parameters<typeof rewrapped>[0][] = [
      (_, authInfo) => {
        authInfo.tip = create(TipSchema, { tipper: 'x'.repeat(1_000) });
      },
      (body) => {
        body.timeoutTimestamp = create(TimestampSchema, { seconds: 9n });
      },
    ];
    for (const change of changes) {
      expect(refusalOf(ethereumChain(), await rewrapped(change))).toEqual([
        18,
        'for eth tx body TimeoutTimestamp and AuthInfo Tip should be empty: invalid request',
      ]);
    }
  });
});

describe('balance promised to a pending transaction', () => {
  const START = 10_000n * 10n ** 18n;
  const paying = (nonce: number, value: bigint, price = 2n * GWEI): Promise<Uint8Array> =>
    tx(0, { nonce, to: signer(1).address, value, maxFeePerGas: price });

  it("is not available to the sender's next transaction, in CheckTx and in recheck", async () => {
    const dev = ethereumChain();
    const [first, second] = [await paying(0, (START * 6n) / 10n), await paying(1, (START * 6n) / 10n)];
    const state = dev.app.createCheckState(dev.state, dev.at());
    expect([
      dev.app.checkTx(state, first).code,
      dev.app.checkTx(state, second).code,
      dev.app.checkTx(state, await paying(1, (START * 3n) / 10n)).code,
    ]).toEqual([0, 5, 0]);
    expect(dev.app.recheck(dev.app.createCheckState(dev.state, dev.at()), hex(addressOf(0)), [first, second])).toEqual([
      true,
      false,
    ]);
    // The block decides the same.
    expect(codes(dev.block(first, second))).toEqual([0, 5]);
  });

  it('is available to the transaction that replaces it', async () => {
    const dev = ethereumChain();
    const first = await paying(0, (START * 6n) / 10n);
    const state = dev.app.createCheckState(dev.state, dev.at());
    expect(dev.app.checkTx(state, first).code).toBe(0);
    const again = await paying(0, (START * 7n) / 10n, 3n * GWEI);
    const sender = { address: hex(addressOf(0)), nonce: 0n };
    expect(dev.app.checkQueued(state, again, sender, false, first).code).toBe(0);
    expect(dev.app.checkQueued(state, again, sender).code).toBe(5);
    expect(dev.app.checkQueued(state, await paying(0, START, 3n * GWEI), sender, false, first).code).toBe(5);
  });
});

describe('an account that is empty in the EVM but owns other coins', () => {
  it('is not removed when another account calls it', async () => {
    const dev = ethereumChain();
    const owner = account(9);
    expect(codes(dev.block(setBalanceTx({ address: owner.address, denom: 'foo', amount: '5', sequence: 0n })))).toEqual(
      [0],
    );
    const key = accountKey(addressOf(9));
    const before = dev.state.get('acc', key);
    expect(before).toBeDefined();
    expect(codes(dev.block(await tx(0, { nonce: 0, to: signer(9).address })))).toEqual([0]);
    expect(dev.state.get('acc', key)).toEqual(before);
  });

  it('makes an EIP-7702 authorization cost the same gas in a warm and in a fresh process', async () => {
    const dev = ethereumChain();
    const owner = account(9);
    dev.block(
      setBalanceTx({ address: owner.address, denom: 'foo', amount: '5', sequence: 0n }),
      await tx(0, { nonce: 0, to: signer(9).address }),
    );
    const chainId = Number(chain.evmChainId);
    const authorization = await signer(9).signAuthorization({ address: signer(2).address, chainId, nonce: 0 });
    const raw = await signer(1).signTransaction({
      type: 'eip7702',
      chainId,
      nonce: 0,
      to: signer(2).address,
      gas: 100_000n,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: 0n,
      authorizationList: [authorization],
    });
    const anew = ethereumChain();
    anew.state = dev.state;
    anew.height = dev.height;
    const gas = (one: DevChain): readonly bigint[] => {
      const result = one.block(wrap(bytesOf(raw), 1));
      return result.kind === 'executed' ? result.results.txResults.map(({ gasUsed }) => gasUsed) : [];
    };
    expect(gas(dev)).toEqual(gas(anew));
  });
});

describe('an EVM engine that creates wei', () => {
  it('fails the transaction: its changes are dropped and its whole gas limit is charged', async () => {
    const dev = new DevChain({
      evm: (hooks) => {
        const engine = evm(hooks);
        const honest = engine.transact.bind(engine);
        engine.transact = (...args) => {
          const outcome = honest(...args);
          if (outcome.kind === 'refused') return outcome;
          return {
            ...outcome,
            changes: outcome.changes.map((change) =>
              change.kind === 'changed' ? { ...change, balance: change.balance + 1n } : change,
            ),
          };
        };
        return engine;
      },
    });
    const receiver = addressOf(9);
    const result = dev.block(await tx(0, { nonce: 0, to: signer(9).address, value: 5n, gas: 50_000n }));
    expect(result.kind === 'executed' && result.results.txResults.map(({ code, gasUsed }) => [code, gasUsed])).toEqual([
      [1, 50_000n],
    ]);
    expect(dev.app.ethereum?.account(dev.state, dev.at(), receiver).balance).toBe(0n);
    const anew = ethereumChain();
    anew.state = dev.state;
    anew.height = dev.height;
    expect(dev.app.ethereum?.account(dev.state, dev.at(), addressOf(0))).toEqual(
      anew.app.ethereum?.account(dev.state, dev.at(), addressOf(0)),
    );
  });
});

describe('an account with delegated code (EIP-7702)', () => {
  it('creates no wei when it calls itself and self-destructs', async () => {
    const dev = ethereumChain();
    const [contract, heir] = [new Uint8Array(20).fill(0xc0), new Uint8Array(20).fill(0xee)];
    const address: Hex = `0x${hex(contract)}`;
    const edit = setAccountTx({ address, sequence: 0n }, { code: bytesOf(`0x73${hex(heir)}ff`) });
    const chainId = Number(chain.evmChainId);
    const authorization = await signer(0).signAuthorization({ address, chainId, nonce: 0 });
    const raw = await signer(1).signTransaction({
      type: 'eip7702',
      chainId,
      nonce: 0,
      to: signer(2).address,
      gas: 100_000n,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: 0n,
      authorizationList: [authorization],
    });
    expect(codes(dev.block(edit, wrap(bytesOf(raw), 1)))).toEqual([0, 0]);
    expect(codes(dev.block(await tx(0, { nonce: 1, to: signer(0).address, gas: 100_000n })))).toEqual([0]);
    const balanceOf = (owner: Uint8Array): bigint =>
      dev.app.ethereum?.account(dev.state, dev.at(), owner).balance ?? 0n;
    expect(balanceOf(heir)).toBeGreaterThan(9_999n * 10n ** 18n);
    expect(balanceOf(addressOf(0)) + balanceOf(heir)).toBeLessThan(10_000n * 10n ** 18n);
  });
});
