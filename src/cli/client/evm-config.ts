import type { ChainConfig } from '../../core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { Query } from '../../core/proto/cosmos/evm/vm/v1/query_pb.js';
import { ask } from './app-query.js';
import type { RpcClient } from './rpc-client.js';

/**
 * Reads the EIP-155 id and the coin of the EVM of the node's chain (cosmos/evm v0.6 `x/vm/keeper/grpc_query.go`
 * Config). Throws RefusedByApplication where the chain has no EVM.
 */
export async function evmConfigOf(rpc: RpcClient): Promise<ChainConfig | undefined> {
  const { input, output } = Query.method.config;
  return (await ask(rpc, '/cosmos.evm.vm.v1.Query/Config', input, {}, output)).config;
}
