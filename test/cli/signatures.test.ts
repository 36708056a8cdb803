/** Signatures of several accounts, and of accounts whose sequence is higher by now. */
import { create, fromBinary } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';
import { expect, test } from 'vitest';
import { SignMode } from '../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import {
  AuthInfoSchema,
  ModeInfoSchema,
  TxBodySchema,
  TxRawSchema,
} from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ExtensionOptionsWeb3TxSchema } from '../../src/core/proto/ethermint/types/v1/web3_pb.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { codes, DevChain } from '../core/app/dev-chain.js';
import { encode } from '../support/encode.js';
import { web3TypedData } from '../support/web3-typed-data.js';
import { fakeNode, runCli, statusMethod, txServices } from './support.js';

const STRANGER = encodeAddress('chron', new Uint8Array(20).fill(9));
const texts = new Map<string, string>();

async function ok(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(words, { texts });
  expect(code, `${words.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const addressOf = async (name: string): Promise<string> => (await ok('keys', 'show', name, '-a')).trim();

/** Signs without a node, at a sequence of account 4. */
const sign = (file: string, from: string, ...more: readonly string[]) =>
  ok('tx', 'sign', file, '--from', from, '--offline', '-a', '4', '--chain-id', 'chronicle_271828-1', ...more);

/** A send of dev0 whose fee another account pays, without signatures. */
const paidByAnother = async (): Promise<void> => {
  const words = ['dev0', 'dev1', '1achr', '--fee-payer', 'dev2', '--generate-only', '--offline', '--gas', '200000'];
  texts.set('paid.json', await ok('tx', 'bank', 'send', ...words));
};

test('tx sign refuses a second signer in mode direct, and any signer after a direct signature', async () => {
  await paidByAnother();
  texts.set('direct.json', await sign('paid.json', 'dev0', '-s', '2'));
  const words = ['tx', 'sign', 'direct.json', '--from', 'dev2', '--offline', '-a', '4', '-s', '2', '--chain-id', 'c'];
  expect(await runCli(words, { texts })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('txs signed with CLI can have maximum 1 DIRECT signer'),
  });
  expect(await runCli([...words, '--sign-mode', 'amino-json'], { texts })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('a signature in mode direct covers the list of signers'),
  });
  expect(JSON.parse(await sign('direct.json', 'dev2', '-s', '2', '--overwrite')).signatures).toHaveLength(1);
});

test('validate-signatures checks a signature at its own sequence, also if the account has a higher one', async () => {
  const { address } = await fakeNode(statusMethod, txServices());
  const verdicts = async (file: string): Promise<readonly string[]> => {
    const { stdout } = await runCli(['tx', 'validate-signatures', file, '--node', address], { texts });
    return stdout.match(/\[.*\]/g) ?? [];
  };
  await paidByAnother();
  texts.set('one.json', await sign('paid.json', 'dev0', '-s', '1', '--sign-mode', 'amino-json'));
  texts.set('both.json', await sign('one.json', 'dev2', '-s', '7'));
  expect(await verdicts('both.json')).toEqual(['[OK]', '[OK]']);
  texts.set('changed.json', (texts.get('both.json') ?? '').replace('"sequence":"7"', '"sequence":"8"'));
  expect(await verdicts('changed.json')).toEqual(['[OK]', '[ERROR: signature invalid]']);

  const send = ['tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--generate-only', '--offline', '--gas', '1'];
  const line = JSON.stringify(JSON.parse(await ok(...send)));
  texts.set('batch.json', `${line}\n${line}\n`);
  for (const mode of ['direct', 'amino-json']) {
    const batch = ['tx', 'sign-batch', 'batch.json', '--from', 'dev0', '--sign-mode', mode, '--node', address];
    const lines = (await ok(...batch)).trim().split('\n');
    expect(lines).toHaveLength(2);
    for (const [index, one] of lines.entries()) {
      texts.set(`line${index}.json`, one);
      expect(await verdicts(`line${index}.json`)).toEqual(['[OK]']);
    }
  }
});

test('tx bank send with --fee-payer is signed by the sender and the fee payer', async () => {
  const sent: string[] = [];
  const node = await fakeNode(
    {
      ...statusMethod,
      broadcast_tx_sync: ({ tx }) => {
        sent.push(String(tx));
        return { result: { code: 0, data: '', log: '', codespace: '', hash: '00' } };
      },
    },
    txServices(),
  );
  const send = ['tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '-y', '--node', node.address];
  await ok(...send, '--fee-payer', 'dev2', '--fee-granter', 'dev1');
  texts.set('sent.json', await ok('tx', 'decode', sent[0] ?? ''));
  const { auth_info: auth } = JSON.parse(texts.get('sent.json') ?? '');
  expect(auth.fee).toMatchObject({ payer: await addressOf('dev2'), granter: await addressOf('dev1') });
  const { stdout } = await runCli(['tx', 'validate-signatures', 'sent.json', '--node', node.address], { texts });
  expect(stdout.match(/\[.*\]/g)).toEqual(['[OK]', '[OK]']);
  expect(await runCli([...send, '--fee-payer', STRANGER], { texts })).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('key not found'),
  });
  expect(sent).toHaveLength(1);
});

/** The signature of a transaction's option, in place of the transaction's own in mode direct. */
function withoutOption(bytes: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes } = fromBinary(TxRawSchema, bytes);
  const body = fromBinary(TxBodySchema, bodyBytes);
  const info = fromBinary(AuthInfoSchema, authInfoBytes);
  const modeInfo = create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SignMode.DIRECT } } });
  return encode(TxRawSchema, {
    bodyBytes: encode(TxBodySchema, { ...body, extensionOptions: [] }),
    authInfoBytes: encode(AuthInfoSchema, {
      ...info,
      signerInfos: info.signerInfos.map((one) => ({ ...one, modeInfo })),
    }),
    signatures: body.extensionOptions.map(({ value }) => fromBinary(ExtensionOptionsWeb3TxSchema, value).feePayerSig),
  });
}

test('validate-signatures accepts EIP-712 signatures, in an extension option or as the signature', async () => {
  const node = await fakeNode(statusMethod, txServices({ accountNumber: 0n }));
  const other = await fakeNode(statusMethod, txServices({ accountNumber: 1n }));
  const verdict = async (text: string, address = node.address): Promise<string | undefined> => {
    texts.set('typed.json', text);
    const { stdout } = await runCli(['tx', 'validate-signatures', 'typed.json', '--node', address], { texts });
    return /\[(.*)\]/.exec(stdout)?.[1];
  };
  const inOption = web3TypedData('send');
  for (const bytes of [inOption, withoutOption(inOption)]) {
    expect(codes(new DevChain().block(bytes))).toEqual([0]);
    const text = await ok('tx', 'decode', base64.encode(bytes));
    expect(await verdict(text)).toBe('OK');
    expect(await verdict(text.replace('"a memo"', '"another"'))).toBe('ERROR: signature invalid');
    expect(await verdict(text, other.address)).toBe('ERROR: signature invalid');
  }
});
