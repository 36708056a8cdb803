/** Typed data (EIP-712) that a Go node signed and accepted, and transactions for which it made none. */
import { create } from '@bufbuild/protobuf';
import { AnySchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { evmd } from '../../../../src/core/app/presets.js';
import { signatureDataOf } from '../../../../src/core/modules/auth/ante/multisig.js';
import { signatureFaultOf } from '../../../../src/core/modules/auth/ante/sign-modes.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import * as erc20 from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { typedDataRules } from '../../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { ModeInfoSchema } from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { typedDigests } from '../../../../src/core/sdk/signing/eip712/digests.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { message } from '../../../../src/core/sdk/module/module.js';
import { parsePublicKey } from '../../../../src/core/sdk/signing/public-key.js';
import type { SigningFacts } from '../../../../src/core/sdk/signing/signing-facts.js';
import { readTx, type Tx } from '../../../../src/core/sdk/module/tx.js';
import { messageTypesOf } from '../../../../src/core/sdk/module/version-types.js';
import { hasGolden } from '../../../support/golden.js';
import { account, DevChain, signed } from '../../app/dev-chain.js';
import { crypto, fromHex, toHex } from '../../app/support.js';
import { type TxVector, txVectors } from '../../../support/tx-vectors.js';

interface Mode {
  readonly raw?: string;
  readonly eip712_bytes?: string;
  readonly error?: string;
}

type Modes = Readonly<Record<string, Mode>>;

const unused = (): never => {
  throw new Error('not executed');
};
const coin = message(erc20.Msg, 'convertCoin', unused);
const token = message(erc20.Msg, 'convertERC20', unused);

/** With the messages of erc20, of which only the signers matter here. */
const version: AppVersion = {
  ...evmd,
  modules: evmd.modules.map((module) =>
    module.name === 'erc20'
      ? { ...module, messages: [coin, token], types: [erc20.file_cosmos_evm_erc20_v1_tx] }
      : module,
  ),
};
const router = new MessageRouter(version);
const types = messageTypesOf(version);
const vectors = txVectors<Modes>();

function factsOf({ chain_id: chainId, account_number, sequence }: TxVector<Modes>, tx: Tx): SigningFacts {
  return {
    chainId,
    accountNumber: BigInt(account_number),
    sequence: BigInt(sequence),
    address: encodeAddress('cosmos', tx.signers[0] ?? new Uint8Array()),
    bech32Prefix: 'cosmos',
    evmChainId: 262144n,
    typedData: typedDataRules.ordinary,
    types,
    publicKey: create(AnySchema),
    auxPayer: undefined,
    coinMetadata: () => undefined,
  };
}

/** The transaction of a mode; where the node made no typed data, that of the mode with other sign bytes. */
function txOf(vector: TxVector<Modes>, mode: string): Tx {
  const raw = vector.modes[mode]?.raw ?? vector.modes[mode === 'eip712-direct' ? 'direct' : 'amino']?.raw ?? '';
  return readTx(base64.decode(raw), router, 'cosmos');
}

function accepted(tx: Tx, facts: SigningFacts): boolean {
  const [info] = tx.authInfo.signerInfos;
  const key = info?.publicKey && parsePublicKey(evmd, info.publicKey);
  if (key === undefined) throw new Error('no key');
  const data = signatureDataOf(info?.modeInfo ?? create(ModeInfoSchema), tx.signatures[0] ?? new Uint8Array());
  return signatureFaultOf(crypto, tx, key, data, facts) === undefined;
}

describe.skipIf(!hasGolden).each(['eip712-direct', 'eip712-amino', 'eip712-legacy'])('%s', (mode) => {
  const signMode = mode === 'eip712-direct' ? SignMode.DIRECT : SignMode.LEGACY_AMINO_JSON;
  const made = vectors.filter(({ modes }) => modes[mode]?.raw !== undefined);
  const refused = vectors.filter(({ modes }) => modes[mode]?.error !== undefined);
  it('has many vectors', () => expect(made.length).toBeGreaterThan(20));

  it.each(made)('$name has the digest and the signature of the node', (vector) => {
    const tx = txOf(vector, mode);
    const facts = factsOf(vector, tx);
    const digest = crypto.keccak256(fromHex(vector.modes[mode]?.eip712_bytes ?? ''));
    const digests = [...typedDigests(crypto, tx, signMode, facts)].map(toHex);
    expect(digests[mode === 'eip712-legacy' ? 1 : 0]).toBe(toHex(digest));
    expect(accepted(tx, facts)).toBe(true);
    expect(accepted(tx, { ...facts, evmChainId: 1n })).toBe(false);
    expect(accepted(tx, { ...facts, chainId: '9002' })).toBe(false);
    expect(accepted(tx, { ...facts, accountNumber: facts.accountNumber + 1n })).toBe(false);
    expect(accepted({ ...tx, body: { ...tx.body, memo: 'another' } }, facts)).toBe(false);
    // what the document does not hold could be changed by a third party
    expect(accepted({ ...tx, body: { ...tx.body, unordered: true } }, facts)).toBe(false);
    expect(accepted({ ...tx, body: { ...tx.body, timeoutTimestamp: create(TimestampSchema) } }, facts)).toBe(false);
    expect(accepted({ ...tx, unknownFields: true }, facts)).toBe(false);
    expect(accepted({ ...tx, signatures: tx.signatures.map((one) => one.toReversed()) }, facts)).toBe(false);
  });

  it.each(refused)('$name has no typed data, as in the node', (vector) => {
    const tx = txOf(vector, mode);
    const digests = [...typedDigests(crypto, tx, signMode, factsOf(vector, tx))];
    expect(digests).toHaveLength(mode === 'eip712-legacy' && vector.modes['eip712-amino']?.raw !== undefined ? 1 : 0);
  });
});

it('a signature in the extension option of older chains is refused', () => {
  const typeUrl = '/cosmos.evm.eip712.v1.ExtensionOptionsWeb3Tx';
  const send = { fromAddress: account(0).address, toAddress: account(1).address, amount: [] };
  const raw = signed(0, 0n, MsgSendSchema, send, { extensionOptions: [{ typeUrl, value: Uint8Array.of(8, 1) }] });
  const block = new DevChain().block(raw);
  expect(block.kind === 'executed' && block.results.txResults).toMatchObject([
    {
      code: 31,
      codespace: 'sdk',
      log: `rejecting tx with unsupported extension option: ${typeUrl}: unknown extension options`,
    },
  ]);
});
