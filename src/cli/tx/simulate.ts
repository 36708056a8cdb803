import { create } from '@bufbuild/protobuf';
import { hex } from '@scure/base';
import type { AccountKey } from '../../core/sdk/signing/account-key.js';
import { combineSignatures } from '../../core/keys/multisign.js';
import { signerInfoOf } from '../../core/keys/tx-signing.js';
import {
  type SimulateResponse,
  SimulateRequestSchema,
  SimulateResponseSchema,
} from '../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import * as pb from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { ask } from '../client/app-query.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError, RefusedByApplication } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { encodeTransaction } from '../values/tx-json.js';

/** Length of a signature: r, s and v. */
const SIGNATURE_BYTES = 65;
const ADJUSTMENT_UNIT = 1_000_000n;
/** Placeholder for an unknown public key (the generator point), of the kind with the highest gas cost. */
const SOME_KEY: AccountKey = {
  kind: 'eth_secp256k1',
  key: hex.decode('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'),
};

/** A signer without signature; `key` is undefined if its public key is unknown. */
export interface Unsigned {
  readonly key: AccountKey | undefined;
  readonly sequence: bigint;
}

/** Simulates an unsigned transaction on the node. A failure is reported like a rejected transaction. */
export async function simulate(
  { rpc }: CommandContext,
  tx: pb.Tx,
  signers: readonly Unsigned[],
): Promise<SimulateResponse> {
  const all = signers.map(({ key, sequence }) => unsigned(key ?? SOME_KEY, sequence));
  const authInfo = create(pb.AuthInfoSchema, { ...tx.authInfo, signerInfos: all.map(({ signerInfo }) => signerInfo) });
  const signatures = all.map(({ signature }) => signature);
  const txBytes = encodeTransaction(create(pb.TxSchema, { ...tx, authInfo, signatures }));
  return ask(
    rpc,
    '/cosmos.tx.v1beta1.Service/Simulate',
    SimulateRequestSchema,
    { txBytes },
    SimulateResponseSchema,
  ).catch((error: unknown) => {
    if (error instanceof RefusedByApplication) throw new CommandError(EXIT.rejected, wouldFail(error.message));
    throw error;
  });
}

/**
 * Extracts the application's reason from a gRPC error (cosmos-sdk v0.53 `x/auth/tx/service.go` Simulate), without the
 * message index if it is 0.
 */
function wouldFail(message: string): string {
  const reason = message
    .replace(/^rpc error: code = [A-Za-z]+ desc = /, '')
    .replace(/^failed to execute message; message index: 0: /, '')
    .replace(/ with gas used: '[0-9]+'(: unknown request)?$/, '');
  return reason === message ? message : `the transaction would fail, and was not sent: ${reason}`;
}

/**
 * Creates the SignerInfo and placeholder signature of a signer. A multisig key gets placeholders for as many members
 * as must sign, because each costs gas (cosmos-sdk v0.53 `getSimSignatureData` in `client/tx/factory.go`), with their
 * final length.
 */
function unsigned(
  key: AccountKey,
  sequence: bigint,
): { readonly signerInfo: pb.SignerInfo; readonly signature: Uint8Array } {
  const signerInfo = signerInfoOf(key, 'direct', sequence);
  if (key.kind !== 'multisig') return { signerInfo, signature: new Uint8Array(0) };
  const members = key.keys.slice(0, key.threshold);
  const { modeInfo, signature } = combineSignatures(
    key,
    members.map((member) => ({ key: member, mode: 'amino-json', signature: new Uint8Array(SIGNATURE_BYTES) })),
  );
  return { signerInfo: create(pb.SignerInfoSchema, { ...signerInfo, modeInfo }), signature };
}

/** The simulated gas times `--gas-adjustment`, rounded up (cosmos-sdk v0.53 `CalculateGas` in `client/tx/tx.go`). */
export function adjusted(response: SimulateResponse, flags: Flags): bigint {
  const text = flags.text('gas-adjustment') ?? '1';
  const adjustment = Number(text);
  if (!(adjustment > 0 && adjustment < 1000))
    throw new CommandError(EXIT.usage, `--gas-adjustment: ${JSON.stringify(text)} is not a factor`);
  const factor = BigInt(Math.round(adjustment * Number(ADJUSTMENT_UNIT)));
  return ((response.gasInfo?.gasUsed ?? 0n) * factor + ADJUSTMENT_UNIT - 1n) / ADJUSTMENT_UNIT;
}
