/** A row of the method registry, from which dispatcher, URI routes and HTML index are made. */
import type { DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import type { RpcError } from './errors.js';
import type { Decoded, DecodeOptions, ParamType } from './params.js';

export interface MethodContext {
  readonly api: NodeApi;
  readonly limits: Limits;
  readonly timers: Timers;
  /** Name and version of the application, for `abci_info`. */
  readonly application: { readonly name: string; readonly version: string };
}

/** The result of a call: JSON text, or an error. */
export type CallResult =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly error: RpcError };

/** The result of a handler; `json` is complete JSON text. */
export type Answer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: DomainError | RpcError };

/** Looks up an argument by name or position; undefined means absent. */
export type ArgumentSource = (
  name: string,
  index: number,
) => { readonly form: 'json' | 'uri'; readonly text: string } | undefined;

export interface Method {
  readonly name: string;
  readonly paramNames: readonly string[];
  /** Decodes the arguments in order; fails with the first error. */
  bind(source: ArgumentSource, options: DecodeOptions): Decoded<BoundCall>;
}

export interface BoundCall {
  /** True if clients may cache the answer for a day. */
  readonly cacheable: boolean;
  run(context: MethodContext): Answer | Promise<Answer>;
}

type ParamTable = Readonly<Record<string, ParamType<unknown>>>;
type ValuesOf<Table extends ParamTable> = {
  readonly [Name in keyof Table]: Table[Name] extends ParamType<infer Value> ? Value : never;
};

/**
 * When clients may cache an answer for a day: never, always, or if the request has a height (CometBFT v0.38
 * `Cacheable` in `rpc/jsonrpc/server/rpc_func.go`).
 */
export type Cacheable = 'never' | 'always' | 'at-height';

/** Declares a method; parameters keep their order for positional calls. */
export function method<Table extends ParamTable>(
  name: string,
  params: Table,
  cacheable: Cacheable,
  run: (values: ValuesOf<Table>, context: MethodContext) => Answer | Promise<Answer>,
): Method {
  const paramNames = Object.keys(params);
  return {
    name,
    paramNames,
    bind(source, options) {
      const values: Record<string, unknown> = {};
      for (const [index, [paramName, type]] of Object.entries(params).entries()) {
        const argument = source(paramName, index);
        const decoded: Decoded<unknown> =
          argument === undefined ? { ok: true, value: type.absent } : type[argument.form](argument.text, options);
        if (!decoded.ok) return decoded;
        values[paramName] = decoded.value;
      }
      const height = values['height'];
      return {
        ok: true,
        value: {
          cacheable: cacheable === 'always' || (cacheable === 'at-height' && height !== undefined && height !== 0n),
          // each value was decoded with the type of its parameter
          run: (context) => run(values as ValuesOf<Table>, context),
        },
      };
    },
  };
}
