/** A chain with Cosmos and Ethereum transactions, one of each kind that the application shows differently. */
import { encodeDeployData, encodeFunctionData, parseEther } from 'viem';
import { Token, Worker } from '../contracts/index.js';
import { chronicledHere } from './command-here.js';
import type { DaemonProcess } from './daemon.js';

export interface MixedChain {
  readonly token: string;
  /** Hash of a transfer of the token. */
  readonly transfer: string;
  /** Hash of a transfer that an error of the contract reverted. */
  readonly reverted: string;
  /** Hash of a `MsgSend`, as the consensus faces write it. */
  readonly send: string;
  /** The validator of the chain. */
  readonly operator: string;
}

const DEV = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const;

/** Result of a method of the Ethereum face. Throws with the error of the node. */
export async function askNode<Value>(daemon: DaemonProcess, method: string, ...params: readonly unknown[]) {
  const answer = await fetch(daemon.endpoints.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as {
    readonly result: Value;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Fills a dev chain; `memo` is the memo of its `MsgSend`, `symbol` that of its token. */
export async function fillChain(daemon: DaemonProcess, memo = 'rent of May', symbol = 'GLD'): Promise<MixedChain> {
  const [dev0, dev1, dev2] = DEV;
  const send = (transaction: object): Promise<string> =>
    askNode(daemon, 'eth_sendTransaction', { from: dev0, ...transaction });
  const created = async (data: string): Promise<string> => {
    const hash = await send({ data });
    for (;;) {
      const receipt = await askNode<{ readonly contractAddress: string } | null>(
        daemon,
        'eth_getTransactionReceipt',
        hash,
      );
      if (receipt !== null) return receipt.contractAddress;
    }
  };
  const token = await created(encodeDeployData({ ...Token, args: [symbol, symbol, parseEther('1000')] }));
  const worker = await created(encodeDeployData({ ...Worker }));
  const transferTo = (to: string, amount: bigint): string =>
    encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to, amount] });
  const transfer = await send({ to: token, data: transferTo(dev1, parseEther('10')) });
  const reverted = await send({ from: dev2, to: token, data: transferTo(dev1, 5n), gas: '0x186a0' });
  await send({ to: worker, data: encodeFunctionData({ abi: Worker.abi, functionName: 'emitMany', args: [3n] }) });
  await send({ to: dev1, value: '0xde0b6b3a7640000' });
  const { stdout, stderr } = await chronicledHere([
    ...['tx', 'bank', 'send', 'dev0', 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9', '5achr', '--note', memo],
    ...['-y', '--node', daemon.endpoints.comet],
  ]);
  const hash = /"txhash":"([0-9A-F]{64})"/.exec(stdout)?.[1];
  if (hash === undefined) throw new Error(`no transaction: ${stdout}${stderr}`);
  await askNode(daemon, 'evm_mine');
  const answer = await fetch(`${daemon.endpoints.rest}/cosmos/staking/v1beta1/validators`);
  const { validators } = (await answer.json()) as {
    readonly validators: readonly { readonly operator_address: string }[];
  };
  return { token, transfer, reverted, send: hash, operator: validators[0]?.operator_address ?? '' };
}
