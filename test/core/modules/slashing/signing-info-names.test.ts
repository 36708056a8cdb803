/** A signing info keeps the address text of a genesis, whatever it is, as in evmd v0.6.0. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { signingInfoKey, STORE } from '../../../../src/core/modules/slashing/keys.js';
import { ValidatorSigningInfoSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/slashing_pb.js';
import { getSigningInfo, setSigningInfo } from '../../../../src/core/modules/slashing/signing-info.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { chain, contextOf, DevChain } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const CONSENSUS = new Uint8Array(20).fill(3);
const ADDRESS = encodeAddress(`${chain.bech32Prefix}valcons`, CONSENSUS);

it.each(['', 'anything', ADDRESS.toUpperCase(), ADDRESS])(
  'a signing info keeps the address text %j of a genesis',
  (name) => {
    const info = { address: name, start_height: '0', index_offset: '3', jailed_until: '1970-01-01T00:00:00Z' };
    const section = { signing_infos: [{ address: ADDRESS, validator_signing_info: info }] };
    const dev = new DevChain({}, 4, true, { slashing: section });
    const exported = (of: DevChain) =>
      exportGenesis(of.state, { version: chronicle, chain, crypto, at: of.at() })['slashing'];
    const expected = {
      signing_infos: expect.arrayContaining([
        { address: ADDRESS, validator_signing_info: expect.objectContaining(info) },
      ]),
    };
    expect(exported(dev)).toMatchObject(expected);
    // the text stays when the record changes
    const context = contextOf(dev);
    const stored = getSigningInfo(context, CONSENSUS);
    if (stored === undefined) throw new Error('no record');
    setSigningInfo(context, { ...stored, missed: 1n });
    const written = context.store.get(STORE, signingInfoKey(CONSENSUS)) ?? new Uint8Array();
    expect(fromBinary(ValidatorSigningInfoSchema, written)).toMatchObject({ address: name, missedBlocksCounter: 1n });
  },
);
