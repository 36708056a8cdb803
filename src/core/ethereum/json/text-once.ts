/**
 * Caches the JSON text of an object of a block view, which never changes and is often requested. `parts` are joined
 * into one flat string, because flat strings are fast to copy.
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
