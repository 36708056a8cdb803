import { CommandError, EXIT } from './exit-codes.js';
import { postJson } from './http-post.js';
import { FIXED_LIMITS } from '../../core/limits.js';

/** Calls one method of an Ethereum JSON-RPC; failures become errors of the command. */
export async function askEthereum(node: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const address = /^https?:\/\//.test(node) ? node : `http://${node.replace(/^tcp:\/\//, '')}`;
  if (!URL.canParse(address))
    throw new CommandError(
      EXIT.usage,
      `--eth-node: ${JSON.stringify(node)} is not an address; expected http://host:port`,
    );
  const answer = parsed(
    await post(new URL(address), node, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
    node,
  );
  const error = answer['error'];
  if (typeof error === 'object' && error !== null) throw failureOf(method, { ...error });
  return answer['result'];
}

async function post(url: URL, node: string, body: string): Promise<string> {
  try {
    return await postJson(url, body, FIXED_LIMITS.cliEthereumMs);
  } catch {
    throw new CommandError(
      EXIT.unreachable,
      `E_UNREACHABLE: No Ethereum JSON-RPC at ${node}. Start one: chronicled dev`,
    );
  }
}

function parsed(text: string, node: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // The failure is reported below.
  }
  throw new CommandError(EXIT.unreachable, `${node} answered something that is no JSON-RPC response`);
}

const METHOD_NOT_FOUND = -32601;

/** The error of a failed call. A node outside of dev mode does not know the dev methods, and the message says so. */
function failureOf(method: string, { code, message }: Readonly<Record<string, unknown>>): CommandError {
  if (code === METHOD_NOT_FOUND)
    return new CommandError(
      EXIT.notAvailable,
      `${method}: this node does not offer it; commands of \`dev\` need a node that \`chronicled dev\` started`,
    );
  return new CommandError(EXIT.other, typeof message === 'string' ? message : 'the node failed');
}
