/** The REST routes of the node, from the `google.api.http` options of its methods. */
import { invariant } from '../../../core/errors.js';
import type { ServiceMethod, ServiceTable } from '../../services/index.js';
import { fieldNamed, findField, type FieldPath } from '../request/fields.js';
import { RouteTree } from './route-tree.js';
import { parseTemplate, type Variable } from './template.js';
import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { http } from '../../../core/proto/google/api/annotations_pb.js';
import type { HttpRule } from '../../../core/proto/google/api/http_pb.js';

/** The HTTP routes of a gRPC method, from its `google.api.http` option. */
interface Binding {
  /** HTTP method in upper case. */
  readonly verb: string;
  readonly path: string;
  /** Content of the body: `*` for the whole message, or a field name; empty without a body. */
  readonly body: string;
}

/** The bindings of a method in declaration order; empty without a route. */
function bindingsOf(method: DescMethod): readonly Binding[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].flatMap(bindingOf);
}

function bindingOf({ pattern, body }: HttpRule): readonly Binding[] {
  if (pattern.case === undefined) return [];
  if (pattern.case === 'custom') return [{ verb: pattern.value.kind, path: pattern.value.path, body }];
  return [{ verb: pattern.case.toUpperCase(), path: pattern.value, body }];
}

/** `a/b` -> `['a', 'b']`; an empty last segment is kept: it is an empty path parameter. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

export interface Parameter extends Variable {
  readonly path: FieldPath;
}

export interface Route {
  readonly binding: Binding;
  readonly method: ServiceMethod;
  readonly parameters: readonly Parameter[];
  /** True if the query parameter `height` is the block height, because the request has no field of that name. */
  readonly takesHeight: boolean;
}

export interface Match {
  readonly route: Route;
  /** The text of a path parameter. */
  text(parameter: Parameter): string;
}

export interface Routes {
  /** All routes, ordered by service and declaration. */
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
      // grpc-gateway splits after decoding, so parameters cannot contain a slash; splitting the raw path as well
      // makes a plan named a/b accessible
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
