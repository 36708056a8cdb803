/** Calls of the page to the Ethereum face that served it. */

interface RpcAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Results of the calls of one batch, in order; undefined for a call that failed. */
export async function ask(calls: readonly Call[]): Promise<readonly unknown[]> {
  const response = await fetch('/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  });
  const answers: readonly RpcAnswer[] = await response.json();
  return calls.map((_, id) => answers.find((answer) => answer.id === id)?.result);
}

/** A block as `eth_getBlockByNumber` answers it without its transactions. */
export interface Block {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly gasUsed: string;
  readonly transactions: readonly string[];
}

/** The newest blocks down from `head`, at most `count`. */
export async function blocksFrom(head: bigint, count: number): Promise<readonly Block[]> {
  const numbers = Array.from({ length: count }, (_, index) => head - BigInt(index)).filter((number) => number >= 0n);
  const blocks = await ask(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [hexOf(number), false] })),
  );
  return blocks.filter((block): block is Block => block !== null && block !== undefined);
}

/** A quantity in hexadecimal, as JSON-RPC has it. */
export function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** An amount of 10^-decimals units with at most six places. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const places = digits
    .slice(digits.length - decimals)
    .slice(0, SHOWN_PLACES)
    .replace(/0+$/, '');
  return places === '' ? whole : `${whole}.${places}`;
}

const SHOWN_PLACES = 6;
