/**
 * Returns the text of chronicled.toml with one key set. Replaces an existing line, in its section or dotted; adds a
 * new key to its section or at the top. Keeps comments and line order.
 */
export function withTomlValue(text: string, key: string, value: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const dot = key.lastIndexOf('.');
  const [section, name] = dot < 0 ? ['', key] : [key.slice(0, dot), key.slice(dot + 1)];
  const line = (left: string): string => `${left} = ${value}`;
  let at = '';
  let end: number | undefined;
  for (const [index, each] of lines.entries()) {
    const header = /^\s*\[([^[\]]+)\]/.exec(each)?.[1]?.trim();
    if (header !== undefined) at = header;
    const left = /^\s*([A-Za-z0-9_."-]+)\s*=/.exec(each)?.[1]?.replaceAll('"', '');
    if (left !== undefined && (at === '' ? left : `${at}.${left}`) === key)
      return joined(lines.with(index, line(left)));
    if (at === section && each.trim() !== '') end = index;
  }
  if (section !== '' && end !== undefined) return joined(lines.toSpliced(end + 1, 0, line(name)));
  const firstHeader = lines.findIndex((each) => /^\s*\[/.test(each));
  if (section === '') return joined(lines.toSpliced(firstHeader < 0 ? lines.length : firstHeader, 0, line(name)));
  return joined([...lines, ...(lines.length === 0 ? [] : ['']), `[${section}]`, line(name)]);
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
