/** Sign documents of a transaction, by sign mode. */
import { fromBinary } from '@bufbuild/protobuf';
import { evmd as preset } from '../../../src/core/peers/evmd/preset.js';
import { signBytesOf, signingModeOf } from '../../../src/core/keys/tx-signing.js';
import { SignMode } from '../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { typedDataRules } from '../../../src/core/sdk/signing/eip712/typed-data-rules.js';
import { typedDigests } from '../../../src/core/sdk/signing/eip712/digests.js';
import { MessageRouter } from '../../../src/core/sdk/module/message-router.js';
import { directAuxSignBytes, directSignBytes } from '../../../src/core/sdk/signing/sign-doc.js';
import type { SigningFacts } from '../../../src/core/sdk/signing/signing-facts.js';
import { readTx } from '../../../src/core/sdk/module/tx.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import type { Actor, Mode, SignedDocument } from './actors.js';
import { EVM_CHAIN_ID } from './genesis.js';
import { isDue, type World } from './world.js';
import { encode } from '../../support/encode.js';

const crypto = createPureCrypto();
const router = new MessageRouter(preset);

/** The parts of a transaction that are signed; `signers`: how many sign. */
export interface Unsigned {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly signers: number;
}

export function modesOf({ random }: World, first: boolean): Mode {
  const mode = random.weighted<SignMode>([
    [8, SignMode.DIRECT],
    [6, SignMode.LEGACY_AMINO_JSON],
    [2, SignMode.TEXTUAL],
    [first ? 0.02 : 3, SignMode.DIRECT_AUX],
  ]);
  return { mode, typed: random.chance(0.5) };
}

/** The document of the mode, or of direct mode if the transaction does not name one. */
export function documentOf(
  world: World,
  actor: Actor,
  unsigned: Unsigned,
  mode: Mode,
  sequence: bigint,
): SignedDocument {
  const { number: accountNumber = 0n } = world.accounts.get(actor.bech32) ?? {};
  const chainId = isDue(world) && world.random.chance(0.03) ? 'other' : world.chainId;
  const facts: SigningFacts = {
    chainId,
    accountNumber,
    sequence,
    address: actor.bech32,
    publicKey: actor.publicKey,
    auxPayer: undefined,
    bech32Prefix: world.prefix,
    evmChainId: EVM_CHAIN_ID,
    typedData: { ...typedDataRules.ordinary, isShown: () => true },
    types: world.types,
    coinMetadata: (denom) => world.coinMetadata.get(denom),
  };
  try {
    const digest = mode.typed ? typedDigest(world, unsigned, mode.mode, facts) : undefined;
    return digest ?? { kind: 'bytes', value: bytesOf(world, actor, unsigned, mode.mode, facts) };
  } catch {
    const value = directSignBytes(unsigned.bodyBytes, unsigned.authInfoBytes, chainId, accountNumber);
    return { kind: 'bytes', value };
  }
}

function bytesOf(
  { coinMetadata }: World,
  actor: Actor,
  { bodyBytes, authInfoBytes }: Unsigned,
  mode: SignMode,
  facts: SigningFacts,
): Uint8Array {
  if (mode === SignMode.DIRECT_AUX) return directAuxSignBytes(bodyBytes, facts);
  if (mode === SignMode.DIRECT) return directSignBytes(bodyBytes, authInfoBytes, facts.chainId, facts.accountNumber);
  const tx = { body: fromBinary(TxBodySchema, bodyBytes), authInfo: fromBinary(AuthInfoSchema, authInfoBytes) };
  return signBytesOf(
    tx,
    signingModeOf(mode),
    { ...facts, coinMetadata },
    { address: actor.bech32, key: actor.key as never },
  );
}

/** One of the flavours of typed data; undefined for a transaction without any. */
function typedDigest(
  { random, prefix }: World,
  { bodyBytes, authInfoBytes, signers }: Unsigned,
  mode: SignMode,
  facts: SigningFacts,
): SignedDocument | undefined {
  const signatures = Array.from({ length: signers }, () => new Uint8Array(65));
  const raw = encode(TxRawSchema, { bodyBytes, authInfoBytes, signatures });
  const digests = [...typedDigests(crypto, readTx(raw, router, prefix), mode, facts)];
  return digests.length === 0 ? undefined : { kind: 'digest', value: random.pick(digests) };
}
