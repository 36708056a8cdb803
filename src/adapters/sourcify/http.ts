/**
 * HTTP routes of the Sourcify API, version 2 (https://docs.sourcify.dev/docs/api): `POST
 * /v2/verify/{chain}/{address}` and `/v2/verify/metadata/{chain}/{address}`, `GET /v2/verify/{job}`, `GET
 * /v2/contract/{chain}/{address}`. The transport has already rejected foreign origins.
 */
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { checksumAddress } from '../../core/keys/address.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { VerificationApi } from '../../core/verification/api.js';
import type { HttpRequest, HttpResponse, StreamingHttpHandler } from '../transport/index.js';
import { contractJson, errorJson, jobJson, noContractJson } from './answers.js';
import { readMetadataRequest, readRequest, type RequestRead } from './requests.js';

const VERIFY = /^\/v2\/verify\/([0-9]{1,20})\/(0x[0-9a-fA-F]{40})$/;
const VERIFY_METADATA = /^\/v2\/verify\/metadata\/([0-9]{1,20})\/(0x[0-9a-fA-F]{40})$/;
const JOB = /^\/v2\/verify\/([0-9a-f-]{36})$/;
const CONTRACT = /^\/v2\/contract\/([0-9]{1,20})\/(0x[0-9a-fA-F]{40})$/;

/** Path of a contract's page, to which hardhat's plugin links. */
const PAGE = /^\/repo-ui\/[0-9]{1,20}\/(0x[0-9a-fA-F]{40})\/?$/;

const STATUS: Readonly<Record<string, number>> = { already_verified: 409, limit_exceeded: 429 };

/** Wraps a handler: answers API requests, and passes others to `next`. */
export function withSourcify(
  api: VerificationApi,
  crypto: Pick<Crypto, 'keccak256'>,
  next: StreamingHttpHandler,
): StreamingHttpHandler {
  const spelled = (address: Uint8Array): string => checksumAddress(crypto, address);
  const verify = async (
    request: HttpRequest,
    [, chain = '', address = '']: RegExpExecArray,
    read: (body: Uint8Array, address: Uint8Array) => RequestRead,
  ): Promise<HttpResponse> => {
    if (BigInt(chain) !== api.chainId) return unsupportedChain(chain, api.chainId);
    const asked = read(request.body, bytesOf(address));
    if (!asked.ok) return answer(400, errorJson('invalid_parameter', asked.message));
    const begun = await api.begin(asked.request);
    if (begun.ok) return answer(202, { verificationId: begun.id });
    return answer(STATUS[begun.error.code] ?? 400, errorJson(begun.error.code, begun.error.message));
  };
  const contract = async ([, chain = '', address = '']: RegExpExecArray, query: string): Promise<HttpResponse> => {
    if (BigInt(chain) !== api.chainId) return unsupportedChain(chain, api.chainId);
    const bytes = bytesOf(address);
    const found = await api.contract(bytes);
    if (found === undefined) return answer(404, noContractJson(chain, spelled(bytes)));
    const fields = new URLSearchParams(query).get('fields')?.split(',') ?? [];
    return answer(200, contractJson(found, chain, spelled(bytes), fields));
  };
  return (request) => {
    const { path, query, method } = request;
    const shown = method === 'GET' ? PAGE.exec(path) : null;
    if (shown !== null) return { status: 302, headers: { location: `/address/${shown[1]}` }, body: '' };
    if (!path.startsWith('/v2/')) return next(request);
    if (method === 'POST') {
      if (request.headers.get('content-type')?.startsWith('application/json') !== true)
        return answer(415, errorJson('invalid_parameter', 'the content type must be application/json'));
      const [plain, metadata] = [VERIFY.exec(path), VERIFY_METADATA.exec(path)];
      if (plain !== null) return verify(request, plain, readRequest);
      if (metadata !== null) return verify(request, metadata, readMetadataRequest);
    }
    if (method === 'GET') {
      const [job, place] = [JOB.exec(path), CONTRACT.exec(path)];
      if (place !== null) return contract(place, query);
      if (job !== null) {
        const found = api.job(job[1] ?? '');
        return found === undefined
          ? answer(404, errorJson('job_not_found', `no verification has the id ${job[1]}`))
          : answer(200, jobJson(found, String(api.chainId), spelled(found.address)));
      }
    }
    return answer(404, errorJson('route_not_found', `${method} ${path} is not served`));
  };
}

function unsupportedChain(chain: string, own: bigint): HttpResponse {
  return answer(400, errorJson('unsupported_chain', `this node has the chain ${own}, not ${chain}`));
}

function bytesOf(address: string): Uint8Array {
  return bytesOfDigits(address.slice(2).toLowerCase()) ?? new Uint8Array(20);
}

function answer(status: number, body: unknown): HttpResponse {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}
