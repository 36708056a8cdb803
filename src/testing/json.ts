/** JSON from an untrusted server. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object or list of a text; undefined when the text is neither. */
export function parsed(text: string): Json | readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Names of members that are not among `known`. */
export function membersBeside(object: Json, known: readonly string[]): readonly string[] {
  return Object.keys(object).filter((name) => !known.includes(name));
}
