import type { Outcome } from '../../../../core/node-api.js';
import { rpcErrorOf } from '../../errors.js';
import { type Answer, type Method, type MethodContext, type ValuesOf, failed, method, ok } from '../../method.js';
import type { Param } from '../../params/param.js';
import { BOOLEAN, NULL, type Schema } from '../../schema.js';

/** Namespaces of tools with the same commands; viem's test client has a mode for each. */
const TOOLS = ['anvil', 'hardhat', 'ganache'] as const;

/** Declares a command under `anvil_`, `hardhat_`, `ganache_` and further names. */
export function named(suffix: string, further: readonly string[], make: (name: string) => Method): readonly Method[] {
  return [...TOOLS.map((tool) => `${tool}_${suffix}`), ...further].map(make);
}

/** Declares a command without a result under all its names; `run` gets the name that was called. */
export function command<const Params extends readonly Param<unknown>[]>(
  suffix: string,
  further: readonly string[],
  summary: string,
  params: Params,
  run: (values: ValuesOf<Params>, context: MethodContext, name: string) => Outcome<unknown> | Promise<Outcome<unknown>>,
): readonly Method[] {
  return named(suffix, further, (name) =>
    method(name, summary, params, doneSchema(name), async (values, context) =>
      answerOf(await run(values, context, name), doneAs(name)),
    ),
  );
}

/** Marks commands that send unsigned transactions (`src/core/modules/dev`), which not every genesis allows. */
export function unsigned(rows: readonly Method[]): readonly Method[] {
  return rows.map((row) => ({ ...row, isUnsigned: true }));
}

/** Converts a command's outcome to an answer. */
export function answerOf<Value>(outcome: Outcome<Value>, json: (value: Value) => string): Answer {
  return outcome.ok ? ok(json(outcome.value)) : failed(rpcErrorOf(outcome.error));
}

export const toTrue = (): string => 'true';

/**
 * The answer of a command without a result: null, as in anvil, but true under a name of hardhat 3 (EDR
 * `crates/edr_provider/src/requests/hardhat`) or of ganache alone (v7.9 `packages/ethereum/ethereum/src/api.ts`).
 */
export function doneAs(name: string): () => string {
  return () => String(isTrueOf(name) || null);
}

/** Schema of the answer of `doneAs`. */
export function doneSchema(name: string): Schema {
  return isTrueOf(name) ? BOOLEAN : NULL;
}

function isTrueOf(name: string): boolean {
  return name.startsWith('hardhat_') || name.startsWith('evm_setAccount');
}
