/** The smaller of two numbers; `Math.min` takes no bigint. */
export function min<Value extends bigint>(left: Value, right: Value): Value {
  return left < right ? left : right;
}

/** The larger of two numbers; `Math.max` takes no bigint. */
export function max<Value extends bigint>(left: Value, right: Value): Value {
  return left > right ? left : right;
}
