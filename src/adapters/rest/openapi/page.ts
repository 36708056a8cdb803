/** An HTML page that lists every route; routes without parameters are links. */
import type { Route } from '../routes/routes.js';

/** HTML text. All names come from the descriptors; the page repeats nothing of the request. */
export function indexPage(routes: readonly Route[]): string {
  const services = new Map<string, Route[]>();
  for (const route of routes) {
    const name = route.method.desc.parent.typeName;
    services.set(name, [...(services.get(name) ?? []), route]);
  }
  const sections = [...services].map(
    ([name, of]) =>
      `<h2>${name}</h2><ul>${of.map(({ binding, method }) => `<li>${method.desc.name}: ${shown(binding.verb, binding.path)}</li>`).join('')}</ul>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chronicle REST</title><h1>Chronicle REST</h1><p><a href="/openapi.json">OpenAPI document</a></p>${sections.join('')}</html>`;
}

function shown(verb: string, path: string): string {
  return verb === 'GET' && !path.includes('{') ? `<a href="${path}">${path}</a>` : `<code>${verb} ${path}</code>`;
}
