import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Caches a pure check of a short text, because clients send the same few hosts and addresses with every request. */
export function cachedByText(judge: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const verdict = judge(text);
    if (known.size >= FIXED_LIMITS.cachedTexts) known.clear();
    if (text.length <= FIXED_LIMITS.cachedTextCharacters) known.set(text, verdict);
    return verdict;
  };
}
