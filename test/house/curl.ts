/** The options of curl that the documentation uses, implemented here so that the test needs no curl. */
export async function curl(words: readonly string[]): Promise<string> {
  const headers: Record<string, string> = {};
  let url = '';
  let body: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-s') continue;
    if (word === '-H' || word === '-d') {
      index += 1;
      const value = words[index] ?? '';
      if (word === '-d') body = value;
      else headers[value.split(': ')[0] ?? ''] = value.split(': ')[1] ?? '';
    } else if (/^https?:/.test(word) && url === '') url = word;
    else throw new Error(`curl ${word}: not known here`);
  }
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  return response.text();
}
