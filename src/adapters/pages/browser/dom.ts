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

/** A new link to an address that this page made itself, which is also its text unless another is given. */
export function link(url: string, text = url): HTMLAnchorElement {
  const made = element('a', text);
  made.href = url;
  return made;
}

/** Text in the font of code. */
export function code(text: string): HTMLElement {
  return element('code', text);
}
