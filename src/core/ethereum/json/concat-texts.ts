/**
 * Joins the items' texts with commas by `+`: V8 keeps the parts of a concatenation until the string is sent, so a
 * long response is copied once. `join` copies at once, and the result is copied again into its envelope.
 */
export function concatTexts<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  let sum = '';
  for (const item of items) sum += sum === '' ? textOf(item) : `,${textOf(item)}`;
  return sum;
}
