/** Largest values of the protocols' integer types. */
export const MAX_INT64 = (1n << 63n) - 1n;
export const MAX_UINT64 = (1n << 64n) - 1n;
export const MAX_UINT256 = (1n << 256n) - 1n;

/** Smaller of two numbers; `Math.min` does not accept bigint. */
export function min<Value extends bigint>(left: Value, right: Value): Value {
  return left < right ? left : right;
}

/** Larger of two numbers; `Math.max` does not accept bigint. */
export function max<Value extends bigint>(left: Value, right: Value): Value {
  return left > right ? left : right;
}
