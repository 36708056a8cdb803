/**
 * Hands items to `deliver` one at a time, in the order of `push`, before `push` returns. An item that is pushed while
 * another one is delivered follows it: a subject of RxJS would deliver it depth first, and later observers would see
 * the second item before the first.
 */
export function inOrder<Item>(deliver: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  let delivering = false;
  return (item) => {
    waiting.push(item);
    if (delivering) return;
    delivering = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
    } finally {
      delivering = false;
    }
  };
}
