/** Every REST route of the node, made from the options of the methods that it serves. */
import { invariant } from '../../../core/errors.js';
import type { ServiceMethod, ServiceTable } from '../../services/index.js';
import { fieldNamed, findField, type FieldPath } from '../request/fields.js';
import { bindingsOf, type Binding } from './bindings.js';
import { segmentsOf } from './path.js';
import { RouteTree } from './route-tree.js';
import { parseTemplate, type Variable } from './template.js';

export interface Parameter extends Variable {
  readonly path: FieldPath;
}

export interface Route {
  readonly binding: Binding;
  readonly method: ServiceMethod;
  readonly parameters: readonly Parameter[];
  /** True when `height` in the query is the block height, because the request has no field of that name. */
  readonly takesHeight: boolean;
}

export interface Match {
  readonly route: Route;
  /** The text of a path parameter. */
  text(parameter: Parameter): string;
}

export interface Routes {
  /** All routes in order of services and declaration. */
  readonly all: readonly Route[];
  /** Finds a route; `decoded` is the path with its escapes resolved, `raw` the path as sent. */
  find(verb: string, decoded: string, raw: string): Match | undefined;
}

/** Reads the HTTP options of all methods in the table. */
export function createRoutes({ methods }: ServiceTable): Routes {
  const tree = new RouteTree<Route>();
  const all: Route[] = [];
  for (const method of methods.values()) {
    for (const binding of bindingsOf(method.desc)) {
      const { segments, variables } = parseTemplate(binding.path);
      const route: Route = {
        binding,
        method,
        parameters: variables.map((variable) => {
          const path = findField(method.desc.input, variable.name);
          invariant(path !== undefined, `${binding.path} names a field of ${method.desc.input.typeName}`);
          return { ...variable, path };
        }),
        takesHeight: fieldNamed(method.desc.input, 'height') === undefined,
      };
      all.push(route);
      tree.add(binding.verb, segments, route);
    }
  }
  const match = (verb: string, segments: readonly string[]): Match | undefined => {
    const route = tree.find(verb, segments);
    return route && { route, text: ({ start, end }) => segments.slice(start, end).join('/') };
  };
  return {
    all,
    find(verb, decoded, raw) {
      const found = match(verb, segmentsOf(decoded));
      // grpc-gateway splits after decoding, so its parameters cannot hold a slash; splitting first makes a plan named
      // a/b accessible
      return (
        found ??
        (raw === decoded
          ? undefined
          : match(
              verb,
              segmentsOf(raw).map((segment) => decodeURIComponent(segment)),
            ))
      );
    },
  };
}
