import type { Interest } from './model.js';

/** The interest of a target with the name in a command. */
export function interestNamed<Fact>(interests: readonly Interest<Fact>[], name: string): Interest<Fact> {
  const found = interests.find((interest) => interest.name === name);
  if (found === undefined) throw new RangeError(`the target has no interest "${name}"`);
  return found;
}
