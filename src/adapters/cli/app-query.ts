import {
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  create,
  toBinary,
} from '@bufbuild/protobuf';
import type { RpcClient } from './rpc-client.js';

/** One unary method of the application, asked through `abci_query` (application-modules.md 4.3). */
export async function ask<In extends DescMessage, Out extends DescMessage>(
  rpc: RpcClient,
  path: string,
  input: In,
  request: MessageInitShape<In>,
  output: Out,
  height?: bigint,
): Promise<MessageShape<Out>> {
  return fromBinary(output, await rpc.abciQuery(path, toBinary(input, create(input, request)), height));
}
