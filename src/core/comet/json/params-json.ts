/**
 * JSON of consensus parameters: complete in /consensus_params, sparse as an update in block results (CometBFT v0.38
 * `types/params.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Duration } from '@bufbuild/protobuf/wkt';
import { fromDuration, toDuration } from '../time.js';
import { type ConsensusParams, ConsensusParamsSchema } from '../../proto/tendermint/types/params_pb.js';

/** JSON of a parameter update; absent sections and zero fields are omitted, except the duration. */
export interface ConsensusParamUpdatesJson {
  readonly block?: { readonly max_bytes?: string; readonly max_gas?: string };
  readonly evidence?: {
    readonly max_age_num_blocks?: string;
    readonly max_age_duration: string;
    readonly max_bytes?: string;
  };
  readonly validator?: { readonly pub_key_types?: readonly string[] };
  readonly version?: { readonly app?: string };
  readonly abci?: { readonly vote_extensions_enable_height?: string };
}

/** Writes all parameters; absent sections become zeros, durations are nanoseconds as strings. */
export function consensusParamsToJson(params: ConsensusParams) {
  const { block, evidence, validator, version, abci } = params;
  return {
    block: { max_bytes: String(block?.maxBytes ?? 0n), max_gas: String(block?.maxGas ?? 0n) },
    evidence: {
      max_age_num_blocks: String(evidence?.maxAgeNumBlocks ?? 0n),
      max_age_duration: nanosText(evidence?.maxAgeDuration),
      max_bytes: String(evidence?.maxBytes ?? 0n),
    },
    validator: { pub_key_types: [...(validator?.pubKeyTypes ?? [])] },
    version: { app: String(version?.app ?? 0n) },
    abci: { vote_extensions_enable_height: String(abci?.voteExtensionsEnableHeight ?? 0n) },
  };
}

/** Writes the sections of an update without their zero fields (Go's `omitempty`). */
export function consensusParamUpdatesToJson(params: ConsensusParams): ConsensusParamUpdatesJson {
  const { block, evidence, validator, version, abci } = params;
  return {
    ...(block && { block: { ...nonZero('max_bytes', block.maxBytes), ...nonZero('max_gas', block.maxGas) } }),
    ...(evidence && {
      evidence: {
        ...nonZero('max_age_num_blocks', evidence.maxAgeNumBlocks),
        max_age_duration: nanosText(evidence.maxAgeDuration),
        ...nonZero('max_bytes', evidence.maxBytes),
      },
    }),
    ...(validator && {
      validator: validator.pubKeyTypes.length === 0 ? {} : { pub_key_types: [...validator.pubKeyTypes] },
    }),
    ...(version && { version: nonZero('app', version.app) }),
    ...(abci && { abci: nonZero('vote_extensions_enable_height', abci.voteExtensionsEnableHeight) }),
  };
}

/** Reads either form; absent sections stay unset. */
export function consensusParamsFromJson(json: ConsensusParamUpdatesJson): ConsensusParams {
  const { block, evidence, validator, version, abci } = json;
  return create(ConsensusParamsSchema, {
    ...(block && {
      block: { maxBytes: BigInt(block.max_bytes ?? '0'), maxGas: BigInt(block.max_gas ?? '0') },
    }),
    ...(evidence && {
      evidence: {
        maxAgeNumBlocks: BigInt(evidence.max_age_num_blocks ?? '0'),
        maxAgeDuration: toDuration(BigInt(evidence.max_age_duration)),
        maxBytes: BigInt(evidence.max_bytes ?? '0'),
      },
    }),
    ...(validator && { validator: { pubKeyTypes: [...(validator.pub_key_types ?? [])] } }),
    ...(version && { version: { app: BigInt(version.app ?? '0') } }),
    ...(abci && {
      abci: { voteExtensionsEnableHeight: BigInt(abci.vote_extensions_enable_height ?? '0') },
    }),
  });
}

function nonZero<Name extends string>(name: Name, value: bigint): { readonly [Key in Name]?: string } {
  const members: { [Key in Name]?: string } = {};
  if (value !== 0n) Object.assign(members, { [name]: String(value) });
  return members;
}

function nanosText(duration: Duration | undefined): string {
  return String(fromDuration(duration));
}
