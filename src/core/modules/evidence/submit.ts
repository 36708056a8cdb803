/** Evidence submitted by users (cosmos-sdk v0.53 `x/evidence/keeper/msg_server.go`). No handler accepts it here. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { upperHex } from '../../bytes/hex.js';
import { fromTimestamp, goTime } from '../../comet/time.js';
import { EquivocationSchema, type Equivocation } from '../../proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { Msg } from '../../proto/cosmos/evidence/v1beta1/tx_pb.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { message } from '../../sdk/module/module.js';
import { SdkError, type RegisteredError } from '../../sdk/module/sdk-error.js';
import { evidenceRules } from './rules.js';
import { getEvidence } from './store.js';
import { NS_PER_SECOND } from '../../primitives.js';

const evidence = (code: number, text: string): RegisteredError => ({ codespace: 'evidence', code, text });
const errors = {
  invalid: evidence(3, 'invalid evidence'),
  exists: evidence(5, 'evidence already exists'),
} as const;

export const submitEvidence = message(Msg, 'submitEvidence', (context, { submitter, evidence: any }) => {
  requireAddress(context.chain.bech32Prefix, submitter, 'invalid submitter address');
  const equivocation = any && equivocationOf(any);
  if (equivocation === undefined) throw new SdkError(errors.invalid, 'missing evidence');
  const problem = equivocationProblem(equivocation);
  if (problem !== undefined) throw new SdkError(errors.invalid, `failed basic validation: ${problem}`);
  const hash = context.crypto.sha256(toBinary(EquivocationSchema, equivocation));
  if (getEvidence(context, hash) !== undefined) throw new SdkError(errors.exists, upperHex(hash));
  throw evidenceRules.of(context).unhandled();
});

/** Decodes an equivocation, the only kind of evidence; undefined for other types. */
export function equivocationOf({ typeUrl, value }: Any): Equivocation | undefined {
  if (!typeUrl.endsWith(`/${EquivocationSchema.typeName}`)) return undefined;
  try {
    return fromBinary(EquivocationSchema, value);
  } catch {
    return undefined;
  }
}

/** The SDK's error for an invalid equivocation; undefined for a valid one. */
export function equivocationProblem({ time, height, power, consensusAddress }: Equivocation): string | undefined {
  const at = fromTimestamp(time);
  if (at < NS_PER_SECOND) return `invalid equivocation time: ${goTime(at)}`;
  if (height < 1n) return `invalid equivocation height: ${height}`;
  if (power < 1n) return `invalid equivocation validator power: ${power}`;
  if (consensusAddress === '') return 'invalid equivocation validator consensus address: ';
  return undefined;
}
