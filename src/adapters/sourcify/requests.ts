/** Request bodies of the Sourcify API. */
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { asObject } from '../../core/text/json-object.js';
import type { VerificationRequest } from '../../core/verification/api.js';

export type RequestRead =
  | { readonly ok: true; readonly request: VerificationRequest }
  | { readonly ok: false; readonly message: string };

type Members = Readonly<Record<string, unknown>>;

const VERSION = /^v?[0-9]+\.[0-9]+\.[0-9]+(?:[-+.][0-9A-Za-z.+-]*)?$/;
const decoder = new TextDecoder();

/**
 * Parses `{ stdJsonInput, compilerVersion, contractIdentifier, creationTransactionHash? }`. As an extension it
 * accepts `{ buildInfo, contractIdentifier }` with a hardhat or foundry build-info, whose output needs no compiler.
 */
export function readRequest(body: Uint8Array, address: Uint8Array): RequestRead {
  const members = parsed(body);
  if (members === undefined) return refused('the body is not a JSON object');
  const build = asObject(members['buildInfo']);
  const version = members['compilerVersion'] ?? build?.['solcLongVersion'] ?? build?.['solcVersion'];
  return requestOf(address, {
    input: asObject(members['stdJsonInput'] ?? build?.['input']),
    output: asObject(build?.['output']),
    version,
    identifier: members['contractIdentifier'],
    creation: members['creationTransactionHash'],
  });
}

/** Parses `{ metadata, sources, creationTransactionHash? }`: compiler metadata, and sources by path. */
export function readMetadataRequest(body: Uint8Array, address: Uint8Array): RequestRead {
  const members = parsed(body);
  const metadata = asObject(members?.['metadata']);
  const given = asObject(members?.['sources']);
  if (metadata === undefined || given === undefined) return refused('metadata and sources are needed');
  const { compilationTarget, ...settings } = asObject(metadata['settings']) ?? {};
  const [target] = Object.entries(asObject(compilationTarget) ?? {});
  const paths = Object.keys(asObject(metadata['sources']) ?? {});
  const absent = paths.find((path) => typeof given[path] !== 'string');
  if (absent !== undefined) return refused(`the source ${JSON.stringify(absent)} of the metadata is missing`);
  return requestOf(address, {
    input: {
      language: metadata['language'],
      sources: Object.fromEntries(paths.map((path) => [path, { content: given[path] }])),
      settings,
    },
    output: undefined,
    version: asObject(metadata['compiler'])?.['version'],
    identifier: target === undefined ? undefined : `${target[0]}:${String(target[1])}`,
    creation: members?.['creationTransactionHash'],
  });
}

function requestOf(
  address: Uint8Array,
  {
    input,
    output,
    version,
    identifier,
    creation,
  }: {
    readonly input: Members | undefined;
    readonly output: Members | undefined;
    readonly version: unknown;
    readonly identifier: unknown;
    readonly creation: unknown;
  },
): RequestRead {
  if (input === undefined) return refused('stdJsonInput is not a JSON object');
  if (typeof identifier !== 'string' || !/.:[A-Za-z_$][A-Za-z0-9_$]*$/.test(identifier))
    return refused('contractIdentifier is not of the form path:Name');
  if (typeof version !== 'string' || !VERSION.test(version))
    return refused('compilerVersion is not a version such as 0.8.30+commit.73712a01');
  if (input['language'] !== 'Solidity') return refused('only the language Solidity is verified');
  const sources = Object.entries(asObject(input['sources']) ?? {});
  const other = sources.find(([, source]) => typeof asObject(source)?.['content'] !== 'string');
  if (other !== undefined) return refused(`the source ${JSON.stringify(other[0])} has no content`);
  const hash = typeof creation === 'string' ? bytesOfDigits(creation.replace(/^0x/, '')) : undefined;
  if ((creation ?? null) !== null && hash?.length !== 32)
    return refused('creationTransactionHash is not a hash of 32 bytes');
  const compilerVersion = version.replace(/^v/, '');
  return {
    ok: true,
    request: {
      address,
      input,
      output,
      compilerVersion,
      contractIdentifier: identifier,
      creationTransaction: hash,
    },
  };
}

function parsed(body: Uint8Array): Members | undefined {
  try {
    return asObject(JSON.parse(decoder.decode(body)));
  } catch {
    return undefined;
  }
}

function refused(message: string): RequestRead {
  return { ok: false, message };
}
