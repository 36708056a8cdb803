import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { file_cosmos_bank_v1beta1_tx } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { CoinSchema } from '../../src/core/proto/cosmos/base/v1beta1/coin_pb.js';
import { file_cosmos_tx_signing_v1beta1_signing } from '../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { customtype, file_gogoproto_gogo } from '../../src/core/proto/gogoproto/gogo_pb.js';
import { lazyRegistry } from '../../src/core/sdk/codec/lazy-registry.js';

const inputs = [CoinSchema, file_cosmos_tx_signing_v1beta1_signing, file_gogoproto_gogo] as const;
const lazy = lazyRegistry(lazyRegistry(file_cosmos_bank_v1beta1_tx), ...inputs);
const whole = createRegistry(createRegistry(file_cosmos_bank_v1beta1_tx), ...inputs);

describe('a registry that looks at names', () => {
  it('finds what the library finds', () => {
    const names = [
      CoinSchema.typeName,
      'cosmos.bank.v1beta1.MsgSend',
      'cosmos.bank.v1beta1.Msg',
      'cosmos.tx.signing.v1beta1.SignMode',
      'cosmos.tx.signing.v1beta1.SignatureDescriptor.Data.Single',
      customtype.typeName,
      'cosmos.bank.v1beta1.MsgNone',
    ];
    const found = (registry: Registry): unknown =>
      names.map((name) => [
        registry.get(name)?.typeName,
        registry.getMessage(name)?.typeName,
        registry.getEnum(name)?.typeName,
        registry.getService(name)?.typeName,
        registry.getExtension(name)?.typeName,
      ]);
    expect(found(lazy)).toEqual(found(whole));
    expect(lazy.getMessage('cosmos.bank.v1beta1.MsgSend')?.typeName).toBe('cosmos.bank.v1beta1.MsgSend');
    expect(lazy.getExtensionFor(customtype.extendee, customtype.number)).toBe(customtype);
  });

  it('lists the types that the library lists', () => {
    expect([...lazy].map(({ typeName }) => typeName)).toEqual([...whole].map(({ typeName }) => typeName));
  });
});
