/** REST (grpc-gateway), gRPC-web and their OpenAPI document, as one handler for any number of ports. */
import { agentOf, type OnCall } from '../../core/activity/client-call.js';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits/limits.js';
import { refusal, STATUS, type ServiceTable } from '../services/index.js';
import type { HttpHandler, HttpRequest, HttpResponse } from '../transport/index.js';
import { createGateway, type CallOf } from './gateway.js';
import { answerGrpcWeb, isGrpcWeb } from './grpc-web.js';
import { createToJson } from './json/to-json.js';
import { createAppendJson } from './request/from-json.js';
import { type Route, createRoutes } from './routes/routes.js';
import { JSON_TYPE } from './errors.js';
import { openApiDocument } from './openapi/document.js';

/** Returns a function that answers requests for the OpenAPI document; undefined for other requests. */
function createDocuments(
  routes: readonly Route[],
  version: string,
): (request: HttpRequest) => HttpResponse | undefined {
  let document: HttpResponse | undefined;
  return ({ method, path }) => {
    if (method !== 'GET') return undefined;
    if (path === '/openapi.json')
      return (document ??= { status: 200, headers: JSON_TYPE, body: openApiDocument(routes, version) });
    // Path of the SDK gateway's viewer.
    return path === '/swagger/' ? { status: 302, headers: { location: '/' }, body: '' } : undefined;
  };
}

export { REST_BODY_TOO_LARGE } from './body-too-large.js';

export interface RestOptions {
  /** Program version, for the OpenAPI document. */
  readonly version: string;
  readonly limits?: Limits;
  /** Called for each call of a client. */
  readonly onCall?: OnCall | undefined;
}

/** Headers that cross-origin pages may read. */
const EXPOSED = {
  'access-control-expose-headers':
    'grpc-metadata-x-cosmos-block-height, x-cosmos-block-height, grpc-status, grpc-message',
};

/**
 * Creates the REST handler. Routes, parameters and schemas are derived from the method descriptors. The transport
 * checks Host, Origin, CORS and body sizes; pass it `REST_BODY_TOO_LARGE` as `tooLarge`.
 */
export function createRest(
  services: ServiceTable,
  { version, limits = DEFAULT_LIMITS, onCall }: RestOptions,
): HttpHandler {
  const { registry } = services.files;
  const bounded = boundedCall(services, limits.grpcAnswerBytes);
  const callOf: CallOf = (request) =>
    onCall === undefined ? bounded : reportingCall(bounded, onCall, agentOf(request.headers.get('user-agent')));
  const routes = createRoutes(services);
  const gateway = createGateway({
    routes,
    toJson: createToJson(registry),
    appendJson: createAppendJson(registry, limits.jsonDepth),
    limits,
    timers: services.timers,
    callOf,
  });
  const documents = createDocuments(routes.all, version);
  const answer = (request: HttpRequest): HttpResponse | Promise<HttpResponse> =>
    isGrpcWeb(request)
      ? answerGrpcWeb(callOf(request), limits.grpcErrorText, request)
      : (documents(request) ?? gateway(request));
  return async (request) => {
    const response = await answer(request);
    return request.headers.has('origin') ? { ...response, headers: { ...response.headers, ...EXPOSED } } : response;
  };
}

/** Wraps `call`: reports each call and its end to `onCall`. */
function reportingCall(call: ServiceTable['call'], onCall: OnCall, client: string): ServiceTable['call'] {
  return async (path, data, height) => {
    const ended = onCall(path, client);
    const answer = await call(path, data, height);
    ended(answer.ok ? undefined : answer.code);
    return answer;
  };
}

/** Wraps the call: replaces responses above the limit by grpc-go's error. */
function boundedCall(services: ServiceTable, maximum: number): ServiceTable['call'] {
  return async (path, data, height) => {
    const answer = await services.call(path, data, height);
    if (!answer.ok || answer.value.length <= maximum) return answer;
    return {
      ...refusal(
        STATUS.resourceExhausted,
        `trying to send message larger than max (${answer.value.length} vs. ${maximum})`,
      ),
      height: answer.height,
    };
  };
}
