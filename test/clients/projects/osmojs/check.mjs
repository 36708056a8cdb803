/** osmojs against the two chains of `dev --ibc`: a transfer by its composer and signing client, and its queries. */
import assert from 'node:assert/strict';
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { getSigningIbcClient, ibc } from 'osmojs';

const [, , ethereum, comet, otherComet, channel, otherChannel, otherChainId] = process.argv;
const AMOUNT = { denom: 'achr', amount: '21' };
const prefix = 'chron';

async function ethereumCall(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(ethereum, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return (await answer.json()).result;
}

const wallet = await DirectSecp256k1HdWallet.generate(12, { prefix });
const [{ address }] = await wallet.getAccounts();
const [from] = await ethereumCall('eth_accounts', []);
const client = await getSigningIbcClient({ rpcEndpoint: comet, signer: wallet });

// coins for the new account, by the face of Ethereum
const words = [...address.slice(prefix.length + 1, -6)].map((letter) =>
  'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(letter),
);
const bits = words.map((word) => word.toString(2).padStart(5, '0')).join('');
const to = `0x${BigInt(`0b${bits.slice(0, 160)}`)
  .toString(16)
  .padStart(40, '0')}`;
await ethereumCall('eth_sendTransaction', [{ from, to, value: '0xde0b6b3a7640000' }]);
assert.equal((await client.getBalance(address, 'achr')).amount, String(10n ** 18n));

const { transfer } = ibc.applications.transfer.v1.MessageComposer.withTypeUrl;
const message = transfer({
  sourcePort: 'transfer',
  sourceChannel: channel,
  token: AMOUNT,
  sender: address,
  receiver: address,
  timeoutHeight: { revisionNumber: 0n, revisionHeight: 0n },
  timeoutTimestamp: BigInt(Date.now() + 3_600_000) * 1_000_000n,
  memo: '',
});
const gas = await client.simulate(address, [message], '');
const limit = Math.ceil(gas * 1.5);
const fee = { amount: [{ denom: 'achr', amount: String(limit * 2_000_000_000) }], gas: String(limit) };
const sent = await client.signAndBroadcast(address, [message], fee);
assert.equal(sent.code, 0, sent.rawLog);

const here = await ibc.ClientFactory.createRPCQueryClient({ rpcEndpoint: comet });
const there = await ibc.ClientFactory.createRPCQueryClient({ rpcEndpoint: otherComet });
const { channels } = await here.ibc.core.channel.v1.channels({});
assert.deepEqual(
  channels.map(({ portId, channelId, counterparty, version }) => [portId, channelId, counterparty.channelId, version]),
  [['transfer', channel, otherChannel, 'ics20-1']],
);
const { connections } = await here.ibc.core.connection.v1.connections({});
assert.equal(connections[0].id, channels[0].connectionHops[0]);
const { clientStates } = await here.ibc.core.client.v1.clientStates({});
const [state] = clientStates.filter(({ clientId }) => clientId === connections[0].clientId);
const { ClientState } = ibc.lightclients.tendermint.v1;
assert.equal(ClientState.decode(state.clientState.value).chainId, otherChainId);

// the relayer brings the packet; its voucher has a trace that says where it is from
for (;;) {
  const { commitments } = await here.ibc.core.channel.v1.packetCommitments({ portId: 'transfer', channelId: channel });
  if (commitments.length === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const { amount: escrowed } = await here.ibc.applications.transfer.v1.totalEscrowForDenom({ denom: 'achr' });
assert.deepEqual(escrowed, AMOUNT);
const { balances } = await there.cosmos.bank.v1beta1.allBalances({ address, resolveDenom: false });
assert.equal(balances.length, 1);
assert.equal(balances[0].amount, AMOUNT.amount);
assert.match(balances[0].denom, /^ibc\/[0-9A-F]{64}$/);
console.log('osmojs: all as expected');
