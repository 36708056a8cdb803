/**
 * The REST gateway over the service table, with responses of the SDK's gateway (grpc-gateway v1, set up in cosmos-sdk
 * v0.53 `server/api/server.go`).
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { concatAll } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import { cleanPath, decodePath, locationOf } from '../request-path.js';
import { HEIGHT_HEADER, parseHeight, refusal, refusalOf, STATUS, type ServiceTable } from '../services/index.js';
import type { HttpRequest, HttpResponse } from '../transport/index.js';
import { badRequest, errorResponse, JSON_TYPE, NOT_IMPLEMENTED } from './errors.js';
import { NestedTooDeep, type ToJson } from './json/to-json.js';
import type { AppendJson } from './request/from-json.js';
import { parseQuery, readRequest, type Query } from './request/read-request.js';
import type { Match, Routes } from './routes/routes.js';

const encoder = new TextEncoder();
/** HTTP header of the height, in requests and responses. */
const METADATA_HEIGHT = `grpc-metadata-${HEIGHT_HEADER}`;

export interface GatewayOptions {
  readonly routes: Routes;
  readonly toJson: ToJson;
  readonly appendJson: AppendJson;
  readonly limits: Pick<Limits, 'jsonParts' | 'pendingAnswerBytes'>;
  readonly timers: Pick<Timers, 'yield'>;
  readonly callOf: CallOf;
}

/** Returns the function that calls methods for a request's client. */
export type CallOf = (request: HttpRequest) => ServiceTable['call'];

/** Handles a request. */
export type Gateway = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/**
 * Creates the gateway: it finds the route, builds the request message, calls the method, and converts the response to
 * JSON.
 */
export function createGateway({ routes, toJson, appendJson, limits, timers, callOf }: GatewayOptions): Gateway {
  const bodyOf = async (desc: DescMessage, bytes: Uint8Array): Promise<HttpResponse['body'] | undefined> =>
    bytes.length < FIXED_LIMITS.restTurnBytes
      ? toJson(desc, bytes)
      : inTurns(toJson.pieces(desc, bytes), timers, limits.pendingAnswerBytes);

  async function answerRoute(match: Match, query: Query, request: HttpRequest): Promise<HttpResponse> {
    const { method, takesHeight } = match.route;
    const at = parseHeight(
      request.headers.get(HEIGHT_HEADER) ??
        request.headers.get(METADATA_HEIGHT) ??
        (takesHeight ? query.get('height')?.[0] : undefined),
    );
    if (!at.ok) return errorResponse(at);
    const read = readRequest(match, query, request.body, appendJson, limits);
    if (!read.ok) return errorResponse(read);
    const answer = await callOf(request)(method.path, read.message, at.height);
    if (!answer.ok) return errorResponse(answer, metadata(answer.height));
    try {
      const body = await bodyOf(method.desc.output, answer.value);
      if (body === undefined) {
        const maximum = limits.pendingAnswerBytes;
        return errorResponse(refusalOf({ code: 'limit-exceeded', limit: 'pendingAnswerBytes', maximum }));
      }
      return {
        status: 200,
        headers: {
          ...JSON_TYPE,
          ...metadata(answer.height),
          ...(answer.height !== undefined && { [HEIGHT_HEADER]: String(answer.height) }),
        },
        body,
      };
    } catch (error) {
      if (error instanceof NestedTooDeep)
        return errorResponse(refusal(STATUS.internal, error.message), metadata(answer.height));
      throw error;
    }
  }

  return (request) => {
    const decoded = decodePath(request.path);
    if (decoded === undefined) return errorResponse(badRequest('invalid URL escape'));
    const clean = cleanPath(decoded);
    if (clean !== decoded) return redirect(clean, request.query);
    const match = routes.find(request.method, decoded, request.path);
    if (match === undefined) return request.method === 'HEAD' ? { ...NOT_IMPLEMENTED, body: '' } : NOT_IMPLEMENTED;
    const query = parseQuery(request.query);
    return query === undefined ? errorResponse(badRequest('invalid URL escape')) : answerRoute(match, query, request);
  };
}

/** Encodes and joins pieces of a long text in later turns of the event loop; undefined above `maximum` bytes. */
async function inTurns(
  pieces: Iterable<string>,
  timers: Pick<Timers, 'yield'>,
  maximum: number,
): Promise<Uint8Array | undefined> {
  const slices: Uint8Array[] = [];
  let bytes = 0;
  let text = '';
  const encode = (): boolean => {
    const slice = encoder.encode(text);
    slices.push(slice);
    bytes += slice.length;
    text = '';
    return bytes <= maximum;
  };
  // The call that made the answer had this turn.
  await timers.yield();
  for (const piece of pieces) {
    text += piece;
    if (text.length < FIXED_LIMITS.restTurnCharacters) continue;
    if (!encode()) return undefined;
    await timers.yield();
  }
  return encode() ? concatAll(slices) : undefined;
}

/** The response header with the height that was read. */
function metadata(height: Height | undefined): Readonly<Record<string, string>> {
  return height === undefined ? {} : { [METADATA_HEIGHT]: String(height) };
}

function redirect(path: string, query: string): HttpResponse {
  return { status: 301, headers: { location: locationOf(path, query) }, body: '' };
}
