/**
 * Makes delivery non-reentrant: items are passed to `deliver` one at a time in the order of `push`, before `push`
 * returns. An item pushed during a delivery follows it; an RxJS subject would deliver it depth first, so later
 * observers would see the second item before the first.
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
