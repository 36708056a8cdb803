/** Authz grants, fee allowances, vesting and multisig accounts through public faces, with unmodified cosmjs. */
import { create, toBinary } from '@bufbuild/protobuf';
import { createMultisigThresholdPubkey, pubkeyToAddress, Secp256k1HdWallet } from '@cosmjs/amino';
import { stringToPath } from '@cosmjs/crypto';
import { encodePubkey } from '@cosmjs/proto-signing';
import { assertIsDeliverTxSuccess, SigningStargateClient } from '@cosmjs/stargate';
import { beforeAll, describe, expect, it } from 'vitest';
import { GenericAuthorizationSchema } from '../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import { SendAuthorizationSchema } from '../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MultiSignatureSchema } from '../../src/core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { SignMode } from '../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxRawSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { BasicAllowanceSchema } from '../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import {
  CHR,
  coins,
  connect,
  type DevChain,
  FEE,
  newAddress,
  newWallet,
  packed,
  startDevChain,
} from './cosmos-wallets.js';
import { encode } from '../support/encode.js';

let chain: DevChain;
let granter = '';
let grantee = '';

beforeAll(async () => {
  chain = await startDevChain(2);
  [granter = '', grantee = ''] = chain.accounts;
});

const send = (fromAddress: string, toAddress: string, amount: bigint) => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: { fromAddress, toAddress, amount: coins(amount) },
});

describe('an authz grant', () => {
  const grant = (authorization: object, seconds = 100n) => ({
    typeUrl: '/cosmos.authz.v1beta1.MsgGrant',
    value: {
      granter,
      grantee,
      grant: { authorization, expiration: { seconds: BigInt(2 ** 32) + seconds, nanos: 0 } },
    },
  });
  const exec = (toAddress: string, amount: bigint) => ({
    typeUrl: '/cosmos.authz.v1beta1.MsgExec',
    value: { grantee, msgs: [packed(MsgSendSchema, { fromAddress: granter, toAddress, amount: coins(amount) })] },
  });
  const revoke = {
    typeUrl: '/cosmos.authz.v1beta1.MsgRevoke',
    value: () => ({ granter, grantee, msgTypeUrl: '/cosmos.bank.v1beta1.MsgSend' }),
  };

  it('to send has a spend limit, and ends when it is revoked', async () => {
    const receiver = await newAddress();
    await chain.refuse('authorization not found', grantee, exec(receiver, 1n));
    await chain.send(granter, grant(packed(SendAuthorizationSchema, { spendLimit: coins(5n * CHR) })));
    await chain.send(grantee, exec(receiver, 2n * CHR));
    expect(await chain.balance(receiver)).toBe(2n * CHR);
    const { grants } = await chain.rest(`/cosmos/authz/v1beta1/grants?granter=${granter}&grantee=${grantee}`);
    expect(grants).toMatchObject([{ authorization: { spend_limit: coins(3n * CHR) } }]);
    await chain.refuse('requested amount is more than spend limit', grantee, exec(receiver, 4n * CHR));
    await chain.send(granter, { typeUrl: revoke.typeUrl, value: revoke.value() });
    await chain.refuse('authorization not found', grantee, exec(receiver, 1n));
    expect(await chain.balance(receiver)).toBe(2n * CHR);
  });

  it('of type GenericAuthorization allows one type of message', async () => {
    const receiver = await newAddress();
    await chain.send(granter, grant(packed(GenericAuthorizationSchema, { msg: '/cosmos.bank.v1beta1.MsgSend' })));
    await chain.send(grantee, exec(receiver, 7n));
    expect(await chain.balance(receiver)).toBe(7n);
  });
});

it('a fee allowance pays the fees of an account without coins until it is used up', async () => {
  const { wallet, address } = await newWallet();
  const poor = await connect(chain.daemon, wallet);
  await chain.send(granter, send(granter, address, 1n));
  await chain.send(granter, {
    typeUrl: '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
    value: {
      granter,
      grantee: address,
      allowance: packed(BasicAllowanceSchema, { spendLimit: [{ denom: 'achr', amount: '3000000000000000' }] }),
    },
  });
  const before = await chain.balance(granter);
  const fee = { ...FEE, granter };
  assertIsDeliverTxSuccess(await poor.signAndBroadcast(address, [send(address, granter, 1n)], fee));
  expect(await chain.balance(granter)).toBe(before + 1n - 2_000_000_000_000_000n);
  expect(await chain.balance(address)).toBe(0n);
  const { allowance } = await chain.rest(`/cosmos/feegrant/v1beta1/allowance/${granter}/${address}`);
  expect(allowance).toMatchObject({
    allowance: { spend_limit: [{ denom: 'achr', amount: '1000000000000000' }] },
  });
  await expect(poor.signAndBroadcast(address, [send(address, granter, 1n)], fee)).rejects.toThrow(/fee limit exceeded/);
});

it('coins of a vesting account can be sent after they vest', async () => {
  const { wallet, address } = await newWallet();
  const theirs = await connect(chain.daemon, wallet);
  const { block } = await chain.rest('/cosmos/base/tendermint/v1beta1/blocks/latest');
  const { header } = block as { readonly header: { readonly time: string } };
  const now = BigInt(Math.floor(Date.parse(header.time) / 1000));
  await chain.send(granter, {
    typeUrl: '/cosmos.vesting.v1beta1.MsgCreateVestingAccount',
    value: { fromAddress: granter, toAddress: address, amount: coins(5n * CHR), endTime: now + 1000n, delayed: true },
  });
  await chain.send(granter, send(granter, address, CHR));
  expect(await chain.balance(address)).toBe(6n * CHR);
  const { balances } = await chain.rest(`/cosmos/bank/v1beta1/spendable_balances/${address}`);
  expect(balances).toEqual(coins(CHR));
  const early = await theirs.signAndBroadcast(address, [send(address, granter, 2n * CHR)], FEE);
  expect(early).toMatchObject({ code: 5, rawLog: expect.stringContaining('insufficient funds') });
  await chain.pass(1001);
  assertIsDeliverTxSuccess(await theirs.signAndBroadcast(address, [send(address, granter, 5n * CHR)], FEE));
});

it('two of three members sign for a multisig account', async () => {
  const members = await Promise.all(
    [0, 1, 2].map(async (index) => {
      const wallet = await Secp256k1HdWallet.generate(12, {
        prefix: 'chron',
        hdPaths: [stringToPath(`m/44'/118'/0'/0/${index}`)],
      });
      const [account] = await wallet.getAccounts();
      if (account === undefined) throw new Error('a wallet has an account');
      const client = await SigningStargateClient.offline(wallet);
      return { client, address: account.address, pubkey: account.pubkey };
    }),
  );
  const key = createMultisigThresholdPubkey(
    members.map(({ pubkey }) => ({
      type: 'tendermint/PubKeySecp256k1',
      value: Buffer.from(pubkey).toString('base64'),
    })),
    2,
  );
  const address = pubkeyToAddress(key, 'chron');
  await chain.send(granter, send(granter, address, CHR));
  const { accountNumber, sequence } = await chain.client.getSequence(address);
  const signerData = { accountNumber, sequence, chainId: await chain.client.getChainId() };
  const receiver = await newAddress();
  const messages = [send(address, receiver, 11n)];
  // the members, in the order of the threshold key
  const signed = await Promise.all(
    key.value.pubkeys.map(({ value }) => {
      const member = members.find(({ pubkey }) => Buffer.from(pubkey).toString('base64') === value);
      if (member === undefined) throw new Error('a key of a member');
      return member.client.sign(member.address, messages, FEE, '', signerData);
    }),
  );
  const bytesOf = (count: number): Uint8Array =>
    multisigned(
      encodePubkey(key),
      BigInt(sequence),
      signed[0]?.bodyBytes ?? new Uint8Array(),
      signed.map(({ signatures }, index) => (index < count ? signatures[0] : undefined)),
    );
  await expect(chain.client.broadcastTx(bytesOf(1))).rejects.toThrow(/signature/);
  assertIsDeliverTxSuccess(await chain.client.broadcastTx(bytesOf(2), 30_000, 20));
  expect(await chain.balance(receiver)).toBe(11n);
});

/** A transaction with the signatures of some members: cosmjs' own function fails with the newest @scure/base. */
function multisigned(
  publicKey: { readonly typeUrl: string; readonly value: Uint8Array },
  sequence: bigint,
  bodyBytes: Uint8Array,
  signatures: readonly (Uint8Array | undefined)[],
): Uint8Array {
  const bits = signatures.reduce((all, one, index) => (one === undefined ? all : all | (0x80 >> index)), 0);
  const modeInfos = signatures.flatMap((one) =>
    one === undefined ? [] : [{ sum: { case: 'single' as const, value: { mode: SignMode.LEGACY_AMINO_JSON } } }],
  );
  const bitarray = { extraBitsStored: signatures.length, elems: Uint8Array.of(bits) };
  const authInfo = create(AuthInfoSchema, {
    signerInfos: [{ publicKey, modeInfo: { sum: { case: 'multi', value: { bitarray, modeInfos } } }, sequence }],
    fee: { amount: [...FEE.amount], gasLimit: BigInt(FEE.gas) },
  });
  const all = create(MultiSignatureSchema, { signatures: signatures.flatMap((one) => one ?? []) });
  return encode(TxRawSchema, {
    bodyBytes,
    authInfoBytes: toBinary(AuthInfoSchema, authInfo),
    signatures: [toBinary(MultiSignatureSchema, all)],
  });
}
