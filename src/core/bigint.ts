/** The largest values of the integers of the protocols. */
export const MAX_INT64 = (1n << 63n) - 1n;
export const MAX_UINT64 = (1n << 64n) - 1n;
export const MAX_UINT256 = (1n << 256n) - 1n;

/** The smaller of two numbers; `Math.min` takes no bigint. */
export function min<Value extends bigint>(left: Value, right: Value): Value {
  return left < right ? left : right;
}

/** The larger of two numbers; `Math.max` takes no bigint. */
export function max<Value extends bigint>(left: Value, right: Value): Value {
  return left > right ? left : right;
}
