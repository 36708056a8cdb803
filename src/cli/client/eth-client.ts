import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { AnswerTimedOut, postJson } from '../../adapters/client/http-post.js';
import type { JsonRpcAnswer } from '../../adapters/client/json-rpc-client.js';
import { isNotHttp, timedOutText } from './rpc-client.js';
import { JSONRPCErrorCode, type JSONRPCError } from 'json-rpc-2.0';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** Calls an Ethereum JSON-RPC method. Throws CommandError. */
export async function askEthereum(node: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const address = /^https?:\/\//.test(node) ? node : `http://${node.replace(/^tcp:\/\//, '')}`;
  if (!URL.canParse(address))
    throw new CommandError(
      EXIT.usage,
      `--eth-node: ${JSON.stringify(node)} is not an address; expected http://host:port`,
    );
  const { callJsonRpc, NotJsonRpc } = await import('../../adapters/client/json-rpc-client.js');
  const url = new URL(address);
  let answer: JsonRpcAnswer;
  try {
    answer = await callJsonRpc((body) => postJson(url, body, FIXED_LIMITS.cliEthereumMs), method, params);
  } catch (error) {
    if (error instanceof AnswerTimedOut) throw new CommandError(EXIT.unreachable, timedOutText(node, method, error));
    throw new CommandError(
      EXIT.unreachable,
      error instanceof NotJsonRpc || isNotHttp(error)
        ? `${node} gave an answer that is not a JSON-RPC response; the Ethereum JSON-RPC listens on port 8545 by default, and --eth-node names it`
        : `E_UNREACHABLE: No Ethereum JSON-RPC at ${node}. Start one: chronicled dev; or name another one with --eth-node`,
    );
  }
  if (!answer.ok) throw failureOf(node, method, answer.error);
  return answer.result;
}

/**
 * Error text of a consensus RPC for an unknown method, which shows that `--eth-node` has the wrong address (CometBFT
 * v0.38 `rpc/jsonrpc/types/types.go`).
 */
const CONSENSUS = 'Method not found';

/**
 * Converts a JSON-RPC error to a CommandError. For an unknown dev method it says that the node must run in dev mode.
 */
function failureOf(node: string, method: string, { code, message }: JSONRPCError): CommandError {
  if (code === JSONRPCErrorCode.MethodNotFound && message === CONSENSUS)
    return new CommandError(
      EXIT.unreachable,
      `${node} is a consensus RPC: give it as --node, and the Ethereum JSON-RPC (port 8545 by default) as --eth-node`,
    );
  if (code === JSONRPCErrorCode.MethodNotFound)
    return new CommandError(
      EXIT.notAvailable,
      `${method}: this node does not offer it; commands of \`dev\` need a node that \`chronicled dev\` started`,
    );
  return new CommandError(EXIT.failed, message);
}
