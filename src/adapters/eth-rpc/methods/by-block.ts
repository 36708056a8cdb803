import { type Answering, type Method, type MethodContext, type ValuesOf, method } from '../method.js';
import { type BlockRef, blockHash, blockNumber } from '../params/block-ref.js';
import type { Param } from '../params/param.js';
import type { Schema } from '../schema.js';

/**
 * Declares two methods that differ in their block parameter: the first takes a number or tag, the second a hash.
 * `summary`: for both, or one for each.
 */
export function byBlock<const Further extends readonly Param<unknown>[]>(
  [byNumber, byHash]: readonly [string, string],
  summary: string | readonly [string, string],
  further: Further,
  result: Schema,
  run: (values: ValuesOf<readonly [Param<BlockRef>, ...Further]>, context: MethodContext) => Answering,
): readonly Method[] {
  const [ofNumber, ofHash] = typeof summary === 'string' ? [summary, summary] : summary;
  const row = (name: string, line: string, block: Param<BlockRef>): Method =>
    method<readonly [Param<BlockRef>, ...Further]>(name, line, [block, ...further], result, run);
  return [row(byNumber, ofNumber, blockNumber), row(byHash, ofHash, blockHash)];
}
