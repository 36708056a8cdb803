/**
 * The REST gateway over the service table, with responses of the SDK's gateway (grpc-gateway v1, set up in cosmos-sdk
 * v0.53 `server/api/server.go`).
 */
import type { Limits } from '../../core/limits/limits.js';
import type { Height } from '../../core/primitives.js';
import { cleanPath, decodePath, locationOf } from '../request-path.js';
import { HEIGHT_HEADER, parseHeight, refusal, STATUS, type ServiceTable } from '../services/index.js';
import type { HttpRequest, HttpResponse } from '../transport/index.js';
import { badRequest, errorResponse, JSON_TYPE, NOT_IMPLEMENTED } from './errors.js';
import { NestedTooDeep, type ToJson } from './json/to-json.js';
import type { AppendJson } from './request/from-json.js';
import { parseQuery, readRequest, type Query } from './request/read-request.js';
import type { Match, Routes } from './routes/routes.js';

/** HTTP header of the height, in requests and responses. */
const METADATA_HEIGHT = `grpc-metadata-${HEIGHT_HEADER}`;

export interface GatewayOptions {
  readonly routes: Routes;
  readonly toJson: ToJson;
  readonly appendJson: AppendJson;
  readonly limits: Pick<Limits, 'jsonParts'>;
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
export function createGateway({ routes, toJson, appendJson, limits, callOf }: GatewayOptions): Gateway {
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
      return {
        status: 200,
        headers: {
          ...JSON_TYPE,
          ...metadata(answer.height),
          ...(answer.height !== undefined && { [HEIGHT_HEADER]: String(answer.height) }),
        },
        body: toJson(method.desc.output, answer.value),
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

/** The response header with the height that was read. */
function metadata(height: Height | undefined): Readonly<Record<string, string>> {
  return height === undefined ? {} : { [METADATA_HEIGHT]: String(height) };
}

function redirect(path: string, query: string): HttpResponse {
  return { status: 301, headers: { location: locationOf(path, query) }, body: '' };
}
