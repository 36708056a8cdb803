/** Response bodies of the Sourcify API. */
import { jsonOf } from '../../core/text/json-object.js';
import type { MatchedContract, VerificationJob, VerifiedContract } from '../../core/verification/api.js';

/** An error body; the API requires an `errorId`. */
export function errorJson(customCode: string, message: string): object {
  return { customCode, message, errorId: '00000000-0000-0000-0000-000000000000' };
}

/** The response for an address without a verified contract. */
export function noContractJson(chainId: string, address: string): object {
  return { match: null, creationMatch: null, runtimeMatch: null, chainId, address };
}

/** A verified contract: its match kind, and the requested fields (by name, or `all`). */
export function contractJson(
  contract: VerifiedContract,
  chainId: string,
  address: string,
  fields: readonly string[],
): object {
  const details: Readonly<Record<string, unknown>> = {
    abi: contract.abi,
    sources: Object.fromEntries(Object.entries(contract.sources).map(([path, content]) => [path, { content }])),
    metadata: metadataJson(contract.metadata),
    storageLayout: contract.storageLayout ?? null,
    compilation: {
      language: contract.language,
      compiler: 'solc',
      compilerVersion: contract.compilerVersion,
      compilerSettings: contract.settings,
      name: contract.name,
      fullyQualifiedName: contract.contractIdentifier,
    },
  };
  const asked = Object.entries(details).filter(([name]) => fields.includes(name) || fields.includes('all'));
  return { ...matchJson(contract, chainId, address), ...Object.fromEntries(asked) };
}

/** The metadata; null if absent or not JSON, which is possible if the output is not from a compiler. */
function metadataJson(text = ''): unknown {
  return jsonOf(text) ?? null;
}

/** A job; it is completed if it has a result. */
export function jobJson(
  { id, startedAt, finishedAt, result }: VerificationJob,
  chainId: string,
  address: string,
): object {
  return {
    isJobCompleted: result !== undefined,
    verificationId: id,
    jobStartTime: startedAt,
    ...(finishedAt !== undefined && { jobFinishTime: finishedAt }),
    contract: result?.ok === true ? matchJson(result.contract, chainId, address) : noContractJson(chainId, address),
    ...(result?.ok === false && { error: errorJson(result.error.code, result.error.message) }),
  };
}

function matchJson({ runtime, creation, verifiedAt }: MatchedContract, chainId: string, address: string): object {
  return {
    match: runtime,
    creationMatch: creation ?? null,
    runtimeMatch: runtime,
    chainId,
    address,
    verifiedAt,
    matchId: `${chainId}-${address}`,
  };
}
