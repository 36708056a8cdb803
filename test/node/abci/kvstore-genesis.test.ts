import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { encodeValidator } from '../../support/kvstore/state.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../../src/core/proto/tendermint/types/params_pb.js';
import { KvStoreApplication } from '../../support/kvstore/application.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';

it('the key-value application answers genesis validators before and after the first commit', async () => {
  const app = await KvStoreApplication.open(new MemoryStore(), await createHostCrypto());
  const key = new Uint8Array(32).fill(7);
  const validator = create(ValidatorUpdateSchema, {
    pubKey: { sum: { case: 'ed25519', value: key } },
    power: 10n,
  });
  const ask = async () => (await app.query({ path: '/val', data: key, height: 0n, prove: false })).value;
  expect(await ask()).toEqual(new Uint8Array());
  await app.initChain({
    chainId: 'kv',
    initialHeight: toHeight(1n),
    time: toTimeNs(0n),
    consensusParams: create(ConsensusParamsSchema),
    validators: [validator],
    appState: utf8('{}'),
  });
  expect(await ask()).toEqual(encodeValidator(validator));
  await app.commit();
  expect(await ask()).toEqual(encodeValidator(validator));
});
