import {
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  create,
  toBinary,
} from '@bufbuild/protobuf';
import { RefusedByApplication } from '../command-error.js';
import type { RpcClient } from './rpc-client.js';

/**
 * Calls one unary method of the application through `abci_query`, whose path is the gRPC path of the method (cosmos-sdk
 * v0.53 `baseapp/abci.go`).
 */
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

/** Awaits a query; undefined if the application refuses it. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RefusedByApplication) return undefined;
    throw error;
  }
}
