/** A chain of a million blocks as a page sees it; making a real one takes an hour. */

/** Blocks of the chain that the page sees. */
export const BLOCKS = 1_000_000;

/**
 * A script that lets the chain of the page be as long as `head` says: blocks that are not there are copies of the
 * newest one. No request is answered while `isDown` is true.
 */
export const LONG_CHAIN = `
  window.head = ${BLOCKS};
  const real = window.fetch;
  window.fetch = async (path, init) => {
    if (window.isDown) throw new TypeError('no connection');
    if (path !== '/' || init?.method !== 'POST') return real(path, init);
    const calls = JSON.parse(init.body);
    const asked = calls.map((call) => call.method.startsWith('eth_getBlockByNumber') || call.method === 'eth_getHeaderByNumber');
    const body = JSON.stringify(calls.map((call, at) => (asked[at] && call.params[0] !== '0x0' ? { ...call, params: ['latest', ...call.params.slice(1)] } : call)));
    const answer = await real(path, { ...init, body });
    const answers = await answer.json();
    for (const one of answers) {
      const [number] = calls[one.id].params;
      if (!asked[one.id] || number === '0x0' || one.result == null) continue;
      const height = number === 'latest' ? window.head : Number(number);
      if (height > window.head) one.result = null;
      else one.result = { ...one.result, number: '0x' + height.toString(16), hash: '0x' + height.toString(16).padStart(64, '0') };
    }
    return new Response(JSON.stringify(answers), { headers: { 'content-type': 'application/json', 'x-node': answer.headers.get('x-node') ?? '' } });
  };
`;
