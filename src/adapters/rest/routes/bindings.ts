/** The HTTP routes of a gRPC method, from its `google.api.http` option. */
import { getOption, hasOption, type DescMethod } from '@bufbuild/protobuf';
import { http } from '../../../core/proto/google/api/annotations_pb.js';
import type { HttpRule } from '../../../core/proto/google/api/http_pb.js';

export interface Binding {
  /** In upper case. */
  readonly verb: string;
  readonly path: string;
  /**
   * The part of the request that the body fills: `*` for the whole message, or the name of a field; empty without a
   * body.
   */
  readonly body: string;
}

/** In order of declaration; empty when the method has no route. */
export function bindingsOf(method: DescMethod): readonly Binding[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].flatMap(bindingOf);
}

function bindingOf({ pattern, body }: HttpRule): readonly Binding[] {
  if (pattern.case === undefined) return [];
  if (pattern.case === 'custom') return [{ verb: pattern.value.kind, path: pattern.value.path, body }];
  return [{ verb: pattern.case.toUpperCase(), path: pattern.value, body }];
}
