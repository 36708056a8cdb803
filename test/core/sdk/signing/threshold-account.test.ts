/** Accounts with a threshold key in a genesis document (cosmos-sdk v0.53 `x/auth/keeper/genesis.go`). */
import { create, fromBinary } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';
import { expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import * as auth from '../../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { BaseAccountSchema } from '../../../../src/core/proto/cosmos/auth/v1beta1/auth_pb.js';
import { LegacyAminoPubKeySchema } from '../../../../src/core/proto/cosmos/crypto/multisig/keys_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../../../src/core/proto/cosmos/crypto/secp256k1/keys_pb.js';
import { anyOf } from '../../../support/sign-tx.js';
import { account, chain, DevChain } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const single = [account(0), account(1)].map(({ key }) => base64.encode(key));
const jsonOf = (publicKeys: readonly object[]) => ({
  '@type': '/cosmos.crypto.multisig.LegacyAminoPubKey',
  threshold: 1,
  public_keys: publicKeys,
});
const json = jsonOf([
  { '@type': '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', key: single[0] },
  jsonOf([{ '@type': '/cosmos.crypto.secp256k1.PubKey', key: single[1] }]),
]);
const key = anyOf(LegacyAminoPubKeySchema, {
  threshold: 1,
  publicKeys: [
    anyOf(PubKeySchema, { key: account(0).key }),
    anyOf(LegacyAminoPubKeySchema, { threshold: 1, publicKeys: [anyOf(Secp256k1Schema, { key: account(1).key })] }),
  ],
});

it('a threshold key in a genesis is stored as in a transaction, and exported as it was imported', () => {
  const exported = (dev: DevChain) => {
    const sections = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
    return JSON.parse(JSON.stringify(sections)) as { auth: { accounts: { address?: string }[] } };
  };
  const sections = exported(new DevChain());
  const { address } = account(9);
  const entry = {
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    ...{ address, pub_key: json, account_number: '99', sequence: '1' },
  };
  const dev = new DevChain({}, 4, true, {
    ...sections,
    auth: { ...sections.auth, accounts: [...sections.auth.accounts, entry] },
  });
  const found = dev.query(
    '/cosmos.auth.v1beta1.Query/Account',
    auth.QueryAccountRequestSchema,
    { address },
    auth.QueryAccountResponseSchema,
  );
  const stored = fromBinary(BaseAccountSchema, found.account?.value ?? new Uint8Array());
  expect(stored).toEqual(create(BaseAccountSchema, { address, pubKey: key, accountNumber: 99n, sequence: 1n }));
  expect(exported(dev).auth.accounts.find((one) => one.address === address)).toEqual(entry);
});
