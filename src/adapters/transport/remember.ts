/** Number and length of cached texts: input of clients must not fill the memory. */
const KNOWN = 1_024;
const LONGEST = 64;

/** Caches a pure check of a short text, because clients send the same few hosts and addresses with every request. */
export function remembering(judge: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const verdict = judge(text);
    if (known.size >= KNOWN) known.clear();
    if (text.length <= LONGEST) known.set(text, verdict);
    return verdict;
  };
}
