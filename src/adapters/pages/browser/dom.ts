/** Elements of a page. Everything that a chain contains becomes text: these functions never parse markup. */

/** The element of the page's HTML with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`invariant: the page has an element #${id}`);
  return found;
}

/** A new element with these children; a string becomes a text node. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** A new row of a table with a cell for each value. */
export function row(...cells: readonly (string | Node)[]): HTMLTableRowElement {
  return element('tr', ...cells.map((cell) => element('td', cell)));
}

/** A new link to an address that this page made itself, which is also its text unless another is given. */
export function link(url: string, text = url): HTMLAnchorElement {
  const made = element('a', text);
  made.href = url;
  return made;
}

/** Date and time of the reader's clock as `2026-01-31 23:59:59`; `milliseconds` since 1970. */
export function time(milliseconds: number): HTMLTimeElement {
  const date = new Date(milliseconds);
  // of all locales this one writes a date so that it can be sorted
  const made = element('time', date.toLocaleString('sv-SE'));
  made.dateTime = date.toISOString();
  return made;
}

/** Text in the font of code. */
export function code(text: string): HTMLElement {
  return element('code', text);
}
