/** Creates page elements. Chain data becomes text nodes: these functions never parse markup. */

/** The element with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`invariant: the page has an element #${id}`);
  return found;
}

/** Creates an element with these children; a string becomes a text node. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** Creates a link to a URL that this page built (never chain data). */
export function link(url: string, text: string): HTMLAnchorElement {
  const made = element('a', text);
  made.href = url;
  return made;
}

/** Creates a code element. */
export function code(text: string): HTMLElement {
  return element('code', text);
}
