import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { evidenceFromJson, type EvidenceJson } from '../../core/comet/json/evidence-json.js';
import { type Evidence, EvidenceSchema } from '../../core/proto/tendermint/types/evidence_pb.js';
import { rawJson, type Decoded, type DecodeOptions, type ParamType } from './params.js';
import { splitJson } from '../raw-json.js';

const TYPES = new Set<string>(['tendermint/DuplicateVoteEvidence', 'tendermint/LightClientAttackEvidence']);

/** Evidence in CometBFT's JSON, `{"type", "value"}`; undefined when absent. */
export const evidenceParam: ParamType<Evidence | undefined> = {
  absent: undefined,
  json: (raw, options) => evidenceOf(raw, rawJson.json(raw, options), options),
  uri: (text, options) => evidenceOf(text, rawJson.uri(text, options), options),
};

function evidenceOf(
  text: string,
  split: ReturnType<typeof rawJson.json>,
  { limits }: DecodeOptions,
): Decoded<Evidence | undefined> {
  if (!split.ok) return split;
  if (split.value === undefined) return { ok: true, value: undefined };
  if (split.value.kind !== 'object') return { ok: false, error: `evidence is an object, not a ${split.value.kind}` };
  const raw = split.value.members.findLast(([name]) => name === 'type')?.[1];
  const type = raw === undefined ? undefined : splitJson(raw, limits);
  const name = type?.ok === true && type.value.kind === 'string' ? type.value.value : '';
  if (!TYPES.has(name)) return { ok: false, error: `unknown type of evidence ${JSON.stringify(name)}` };
  try {
    const json: EvidenceJson = JSON.parse(text);
    const evidence = evidenceFromJson(json);
    // Encode it once, to detect members with values of a wrong type.
    return { ok: true, value: fromBinary(EvidenceSchema, toBinary(EvidenceSchema, evidence)) };
  } catch (error) {
    // A TypeError is of a missing member; its text is for developers.
    if (error instanceof TypeError)
      return { ok: false, error: 'evidence: a member is missing, or has a value of a wrong kind' };
    return { ok: false, error: error instanceof Error ? `evidence: ${error.message}` : 'evidence' };
  }
}
