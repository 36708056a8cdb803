import { jsonText } from '../../text/json-text.js';

const GO_ESCAPED = /[<>&\u2028\u2029]/;
/** Characters that Go's JSON encoder escapes in addition to JSON's own. */
const GO_ESCAPES: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

/** Quotes a string like Go's JSON encoder. */
export function goJsonText(text: string): string {
  const json = jsonText(text);
  return GO_ESCAPED.test(json)
    ? json.replace(/[<>&\u2028\u2029]/g, (character) => GO_ESCAPES[character] ?? character)
    : json;
}
