/** The documents of the face: its OpenAPI document, and a page for browsers. Made on first request. */
import type { HttpRequest, HttpResponse } from '../transport/index.js';
import { JSON_TYPE } from './errors.js';
import { openApiDocument } from './openapi/document.js';
import { indexPage } from './openapi/page.js';
import type { Route } from './routes/routes.js';

const HTML_TYPE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

/** Answers a request for a document; undefined for any other request. */
export function createDocuments(
  routes: readonly Route[],
  version: string,
): (request: HttpRequest) => HttpResponse | undefined {
  let document: HttpResponse | undefined;
  let page: HttpResponse | undefined;
  return ({ method, path, headers }) => {
    if (method !== 'GET') return undefined;
    if (path === '/openapi.json')
      return (document ??= { status: 200, headers: JSON_TYPE, body: openApiDocument(routes, version) });
    // clients other than browsers get the gateway's answer to an unknown path
    if (path === '/swagger/' || (path === '/' && headers.get('accept')?.includes('text/html') === true))
      return (page ??= { status: 200, headers: HTML_TYPE, body: indexPage(routes) });
    return undefined;
  };
}
