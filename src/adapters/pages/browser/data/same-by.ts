/** Code snippets that get a transaction with other clients. */
import type { Snippet } from './method-requests.js';
import { faceAddress, type NodeFacts } from './node-facts.js';

/** Snippets for a transaction; `ethereum` and `consensus` are its hashes in hex. */
export function snippetsOf(
  facts: NodeFacts,
  { ethereum, consensus }: { readonly ethereum: string | undefined; readonly consensus: string | undefined },
): readonly Snippet[] {
  const rpc = faceAddress(facts, 'eth_http', 'http');
  const comet = faceAddress(facts, 'comet', 'http');
  const rest = faceAddress(facts, 'rest', 'http');
  const { grpc } = facts.ports;
  const snippets: Snippet[] = [];
  if (ethereum !== undefined && rpc !== undefined) {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [ethereum] });
    snippets.push(
      { client: 'curl', text: `curl -s ${rpc} -H 'content-type: application/json' -d '${call}'` },
      { client: 'cast', text: `cast receipt ${ethereum} --rpc-url ${rpc}\ncast run ${ethereum} --rpc-url ${rpc}` },
      {
        client: 'viem',
        text: `import { createPublicClient, http } from 'viem';\nconst client = createPublicClient({ transport: http('${rpc}') });\nawait client.getTransactionReceipt({ hash: '${ethereum}' });`,
      },
    );
  }
  if (consensus === undefined) return snippets;
  const hash = consensus.replace(/^0x/i, '').toUpperCase();
  if (rest !== undefined) snippets.push({ client: 'REST', text: `curl -s ${rest}/cosmos/tx/v1beta1/txs/${hash}` });
  if (comet !== undefined)
    snippets.push(
      { client: 'consensus RPC', text: `curl -s '${comet}/tx?hash=0x${hash}'` },
      {
        client: 'cosmjs',
        text: `import { StargateClient } from '@cosmjs/stargate';\nconst client = await StargateClient.connect('${comet}');\nawait client.getTx('${hash}');`,
      },
    );
  if (grpc !== undefined)
    snippets.push({
      client: 'gRPC',
      text: `grpcurl -plaintext -d '{"hash":"${hash}"}' ${location.hostname}:${grpc} cosmos.tx.v1beta1.Service/GetTx`,
    });
  snippets.push({ client: 'chronicled', text: `chronicled query tx ${hash}` });
  return snippets;
}
