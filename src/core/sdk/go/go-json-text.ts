import { jsonText } from '../../text/json-text.js';

const GO_ESCAPED = /[<>&\u2028\u2029]/;
/** Characters that Go's JSON encoder escapes in texts besides JSON's own. */
const GO_ESCAPES: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

/** A text as Go's JSON encoder writes it, in quotes. */
export function goJsonText(text: string): string {
  const json = jsonText(text);
  return GO_ESCAPED.test(json)
    ? json.replace(/[<>&\u2028\u2029]/g, (character) => GO_ESCAPES[character] ?? character)
    : json;
}
