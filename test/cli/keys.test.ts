import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Secp256k1, Secp256k1Signature, keccak256 } from '@cosmjs/crypto';
import { decodeTxRaw, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing';
import { fromBinary } from '@bufbuild/protobuf';
import { hex } from '../../src/core/bytes/hex.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import { isMnemonic, mnemonicOf } from '../../src/core/keys/mnemonic.js';
import { TxRawSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { goldenPath, hasGolden } from '../support/golden.js';
import { accountOf, devAccounts, privateKeysOf } from '../support/accounts.js';
import { anyOf, signTx } from '../support/sign-tx.js';

describe('dev accounts', () => {
  const accounts = devAccounts({ mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: 'cosmos' });

  test('are the well-known accounts of anvil and hardhat', () => {
    const [first, second] = accounts;
    expect(first).toMatchObject({
      index: 0,
      name: 'dev0',
      hex: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      bech32: 'cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq',
    });
    expect(hex(first?.privateKey ?? new Uint8Array())).toBe(
      'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    );
    expect(second?.hex).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    expect(accounts.map(({ name }) => name)).toEqual([
      'dev0',
      'dev1',
      'dev2',
      'dev3',
      'dev4',
      'dev5',
      'dev6',
      'dev7',
      'dev8',
      'dev9',
    ]);
  });

  test('have the bech32 prefix that the caller gives', () => {
    expect(devAccounts({ mnemonic: DEV_MNEMONIC, count: 1, bech32Prefix: 'chron' })[0]?.bech32).toMatch(
      /^chron17w0adeg64ky0daxwd2ugyuneellmjgn/,
    );
  });
});

test('a mnemonic is English words with a correct checksum', () => {
  expect(isMnemonic(DEV_MNEMONIC)).toBe(true);
  expect(isMnemonic('test test test test test test test test test test test test')).toBe(false);
  expect(mnemonicOf(new Uint8Array(32)).split(' ')).toHaveLength(24);
  expect(isMnemonic(mnemonicOf(new Uint8Array(32).fill(7)))).toBe(true);
});

interface RecordedKey {
  readonly mnemonic: string;
  readonly path?: string;
  readonly address: string;
  readonly hex: string;
  readonly priv: string;
  readonly pub: string;
}

describe.skipIf(!hasGolden)('keys of a recorded keyring', () => {
  const keys = hasGolden
    ? (JSON.parse(readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8')) as Record<string, RecordedKey>)
    : {};
  for (const [name, key] of Object.entries(keys).filter(([, { path = '' }]) =>
    /^m\/44'\/60'\/0'\/0\/\d+$/.test(path),
  )) {
    test(`${name} is derived as the Go node derives it`, () => {
      const index = Number(key.path?.split('/').at(-1));
      const privateKey = privateKeysOf(key.mnemonic, index + 1)[index] ?? new Uint8Array();
      const account = accountOf(name, privateKey, 'cosmos');
      expect(`0x${hex(privateKey)}`).toBe(key.priv);
      expect(account.hex.toLowerCase()).toBe(key.hex.toLowerCase());
      expect(account.bech32).toBe(key.address);
      expect(Buffer.from(account.publicKey).toString('base64')).toBe(key.pub);
    });
  }
});

describe('a signed transaction', () => {
  const [from, to] = devAccounts({ mnemonic: DEV_MNEMONIC, count: 2, bech32Prefix: 'chron' });
  if (from === undefined || to === undefined) throw new Error('two accounts');
  const tx = {
    messages: [
      anyOf(MsgSendSchema, {
        fromAddress: from.bech32,
        toAddress: to.bech32,
        amount: [{ denom: 'achr', amount: '5' }],
      }),
    ],
    memo: 'hello',
    fee: { amount: [{ denom: 'achr', amount: 400_000_000_000_000n }], gasLimit: 200_000n },
    chainId: 'chronicle_271828-1',
    accountNumber: 3n,
    sequence: 9n,
  };

  test('decodes with cosmjs to the signed content', () => {
    const decoded = decodeTxRaw(signTx(tx, from.privateKey));
    expect(decoded.body.memo).toBe('hello');
    expect(decoded.body.messages).toEqual(tx.messages.map(({ typeUrl, value }) => ({ typeUrl, value })));
    expect(decoded.authInfo.fee).toMatchObject({
      amount: [{ denom: 'achr', amount: '400000000000000' }],
      gasLimit: 200000n,
    });
    expect(decoded.authInfo.signerInfos[0]).toMatchObject({
      sequence: 9n,
      publicKey: { typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' },
    });
  });

  test('has a signature over keccak256 of the bytes that cosmjs builds', async () => {
    const raw = fromBinary(TxRawSchema, signTx(tx, from.privateKey));
    const signBytes = makeSignBytes(makeSignDoc(raw.bodyBytes, raw.authInfoBytes, tx.chainId, 3));
    const [signature = new Uint8Array()] = raw.signatures;
    expect(signature).toHaveLength(65);
    expect(
      Secp256k1.verifySignature(
        Secp256k1Signature.fromFixedLength(signature.subarray(0, 64)),
        keccak256(signBytes),
        from.publicKey,
      ),
    ).toBe(true);
    const other = makeSignBytes(makeSignDoc(raw.bodyBytes, raw.authInfoBytes, 'other-1', 3));
    expect(
      Secp256k1.verifySignature(
        Secp256k1Signature.fromFixedLength(signature.subarray(0, 64)),
        keccak256(other),
        from.publicKey,
      ),
    ).toBe(false);
  });
});
