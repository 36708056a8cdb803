/** The OpenAPI document of the face, made on first request; the page at its root is a viewer of it. */
import type { HttpRequest, HttpResponse } from '../transport/index.js';
import { JSON_TYPE } from './errors.js';
import { openApiDocument } from './openapi/document.js';
import type { Route } from './routes/routes.js';

/** Answers a request for the document; undefined for any other request. */
export function createDocuments(
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
