/**
 * Makes the text of an object of a block view once: the view is never changed, and what is asked for is asked for often
 * (design section 5: JSON is made once). `parts` are joined into one flat string, which later joins copy at memory speed.
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
