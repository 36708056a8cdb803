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

/** Answers a request for the document; undefined for any other request. */
function createDocuments(
  routes: readonly Route[],
  version: string,
): (request: HttpRequest) => HttpResponse | undefined {
  let document: HttpResponse | undefined;
  return ({ method, path }) => {
    if (method !== 'GET') return undefined;
    if (path === '/openapi.json')
      return (document ??= { status: 200, headers: JSON_TYPE, body: openApiDocument(routes, version) });
    // The address under which the SDK's gateway has its viewer.
    return path === '/swagger/' ? { status: 302, headers: { location: '/' }, body: '' } : undefined;
  };
}

export { REST_BODY_TOO_LARGE } from './body-too-large.js';

export interface RestOptions {
  /** Version of the program, for the OpenAPI document. */
  readonly version: string;
  readonly limits?: Limits;
  /** Hears of each call of a client. */
  readonly onCall?: OnCall | undefined;
}

/** Headers that pages of other origins may read. */
const EXPOSED = {
  'access-control-expose-headers':
    'grpc-metadata-x-cosmos-block-height, x-cosmos-block-height, grpc-status, grpc-message',
};

/**
 * Makes the handler over the table of services. Routes, parameters and shapes are derived from the methods'
 * descriptors. The transport checks Host, Origin, CORS and the size of bodies; pass `REST_BODY_TOO_LARGE` to it as
 * `tooLarge`.
 */
export function createRest(
  services: ServiceTable,
  { version, limits = DEFAULT_LIMITS, onCall }: RestOptions,
): HttpHandler {
  const { registry } = services.files;
  const bounded = boundedCall(services, limits.grpcAnswerBytes);
  const callOf: CallOf = (request) =>
    onCall === undefined ? bounded : heardCall(bounded, onCall, agentOf(request.headers.get('user-agent')));
  const routes = createRoutes(services);
  const gateway = createGateway({
    routes,
    toJson: createToJson(registry),
    appendJson: createAppendJson(registry, limits.jsonDepth),
    limits,
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

/** Tells the hearer of each call and of its end. */
function heardCall(call: ServiceTable['call'], onCall: OnCall, client: string): ServiceTable['call'] {
  return async (path, data, height) => {
    const ended = onCall(path, client);
    const answer = await call(path, data, height);
    ended(answer.ok ? undefined : answer.code);
    return answer;
  };
}

/** Replaces answers above the limit by the error of grpc-go. */
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
