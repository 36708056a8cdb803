/** Messages of clawback vesting accounts as wallets sign them: amino JSON, and typed data in an option. */
import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { expect, test } from 'vitest';
import { typedDataDigest } from '../../../../src/core/ethereum/typed-data.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ExtensionOptionsWeb3TxSchema } from '../../../../src/core/proto/ethermint/types/v1/web3_pb.js';
import * as pb from '../../../../src/core/proto/evmos/vesting/v1/tx_pb.js';
import { aminoJson } from '../../../../src/core/sdk/codec/amino-json.js';
import { KNOWN_TYPES } from '../../../../src/core/sdk/codec/known-types.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { encode } from '../../../support/encode.js';
import { signDigest } from '../../../support/secp256k1.js';
import { account, codes, refusal, signed, type DevChain } from '../../app/dev-chain.js';
import { laterChain } from '../../app/later-chain.js';
import { any } from '../../app/properties/people.js';
import { crypto } from '../../app/support.js';
import { texts, typedTransaction } from '../../../support/typed-transaction.js';

const [funder, holder] = [account(0), account(9)];
const grant = {
  fromAddress: funder.address,
  toAddress: holder.address,
  startTime: { seconds: 1_700_000_000n },
  lockupPeriods: [{ length: 20n, amount: [coin('achr', 4n)] }],
  vestingPeriods: [{ length: 10n, amount: [coin('achr', 4n)] }],
  merge: false,
};

/** A chain with an account of four achr, of which none has vested. */
function granted(): DevChain {
  const dev = laterChain();
  expect(codes(dev.block(signed(0, 0n, pb.MsgCreateClawbackVestingAccountSchema, grant)))).toEqual([0]);
  return dev;
}

test('MsgCreateClawbackVestingAccount has the amino JSON of later evmos releases', () => {
  const options = { names: 'amino', registry: KNOWN_TYPES } as const;
  const message = create(pb.MsgCreateClawbackVestingAccountSchema, grant);
  expect(aminoJson(reflect(pb.MsgCreateClawbackVestingAccountSchema, message), options)).toEqual({
    from_address: funder.address,
    to_address: holder.address,
    start_time: '2023-11-14T22:13:20Z',
    lockup_periods: [{ length: '20', amount: [{ denom: 'achr', amount: '4' }] }],
    vesting_periods: [{ length: '10', amount: [{ denom: 'achr', amount: '4' }] }],
  });
});

/** The document of MsgClawback that evmosjs shows a wallet. */
function typedClawback(): object {
  return typedTransaction({
    types: {
      MsgValue: texts('funder_address', 'account_address', 'dest_address'),
    },
    chainId: 271_828,
    message: {
      account_number: '0',
      chain_id: 'chronicle_271828-1',
      fee: { feePayer: funder.address, amount: [{ denom: 'achr', amount: '600000000000000' }], gas: '300000' },
      memo: '',
      msgs: [
        {
          type: 'evmos/MsgClawback',
          value: {
            funder_address: funder.address,
            account_address: holder.address,
            dest_address: account(1).address,
          },
        },
      ],
      sequence: '1',
    },
  });
}

function signedInOption(by: number): Uint8Array {
  const digest = typedDataDigest(crypto, typedClawback());
  if (!digest.ok) throw new Error(digest.message);
  const { signature, yParity } = signDigest(digest.digest, account(by).secret);
  const feePayerSig = Uint8Array.from([...signature, 27 + yParity]);
  const option = { typedDataChainId: 271828n, feePayer: funder.address, feePayerSig };
  const message = {
    funderAddress: funder.address,
    accountAddress: holder.address,
    destAddress: account(1).address,
  };
  return encode(TxRawSchema, {
    bodyBytes: encode(TxBodySchema, {
      messages: [any(pb.MsgClawbackSchema, message)],
      extensionOptions: [any(ExtensionOptionsWeb3TxSchema, option)],
    }),
    authInfoBytes: encode(AuthInfoSchema, {
      signerInfos: [
        {
          publicKey: any(PubKeySchema, { key: funder.key }),
          modeInfo: { sum: { case: 'single', value: { mode: SignMode.LEGACY_AMINO_JSON } } },
          sequence: 1n,
        },
      ],
      fee: { amount: [{ denom: 'achr', amount: '600000000000000' }], gasLimit: 300_000n },
    }),
    signatures: [new Uint8Array()],
  });
}

test('MsgClawback with typed data in an option must be signed by the funder', () => {
  expect(refusal(granted().block(signedInOption(1)))).toContain('signature verification failed');
  expect(refusal(granted().block(signedInOption(0)))).toBe(' 0: ');
});
