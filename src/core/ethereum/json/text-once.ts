/**
 * Caches the JSON text of an object of a block view, which is never changed and often requested. `parts` are joined
 * into one flat string, which later joins copy at memory speed.
 */
export function textOnce<Item extends object, Rest extends readonly unknown[]>(
  parts: (item: Item, ...rest: Rest) => readonly string[],
): (item: Item, ...rest: Rest) => string {
  const known = new WeakMap<Item, string>();
  return (item, ...rest) => {
    const before = known.get(item);
    if (before !== undefined) return before;
    const text = parts(item, ...rest).join('');
    known.set(item, text);
    return text;
  };
}
