/** A Solidity contract that stakes through the staking precompile, over every method that runs or traces code. */
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Staker } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { resultProblems } from '../support/openrpc.js';
import { callEthereum } from './ethereum-client.js';

const STAKING = `0x${'800'.padStart(40, '0')}`;
const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const VALUE = 10n ** 18n;

let daemon: DaemonProcess;
let url: string;
let operator: string;
let staker: string;
/** The transaction that stakes one coin. */
let request: { readonly from: string; readonly to: string; readonly data: Hex; readonly value: Hex };
let receipt: Receipt;

interface Receipt {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly contractAddress: string;
  readonly logs: readonly { readonly address: string }[];
}
interface Frame {
  readonly type: string;
  readonly to?: string;
  readonly error?: string;
  readonly output?: string;
  readonly calls?: readonly Frame[];
}

/** The result of a call, which is valid by the OpenRPC document where that describes the method. */
async function ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
  const result = await callEthereum<Result>(url, method, params);
  expect(resultProblems(method, result)).toEqual([]);
  return result;
}

async function sent(transaction: object): Promise<Receipt> {
  return ask<Receipt>('eth_getTransactionReceipt', await ask<string>('eth_sendTransaction', transaction));
}

const restJson = async (path: string): Promise<unknown> =>
  (await fetch(`${daemon.endpoints.rest}${path}`)).json() as Promise<unknown>;
const calling = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: Staker.abi, functionName, args });
/** Targets of a frame and of all calls below. */
const targets = ({ to, calls = [] }: Frame): readonly (string | undefined)[] => [to, ...calls.flatMap(targets)];
const CALL_TRACER = { tracer: 'callTracer' };

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
  const { validators: bonded } = (await restJson('/cosmos/staking/v1beta1/validators')) as {
    readonly validators: readonly { readonly operator_address: string }[];
  };
  operator = bonded[0]?.operator_address ?? '';
  const deployed = await sent({ from: OWNER, data: encodeDeployData({ ...Staker, args: [] }) });
  staker = deployed.contractAddress;
  request = { from: OWNER, to: staker, data: calling('stake', [operator, VALUE]), value: `0x${VALUE.toString(16)}` };
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const staked = async (): Promise<unknown> =>
  decodeFunctionResult({
    abi: Staker.abi,
    functionName: 'staked',
    data: await ask<Hex>('eth_call', { to: staker, data: calling('staked', [operator]) }, 'latest'),
  });

describe('precompiles over Ethereum JSON-RPC', () => {
  it('a staking call succeeds with the estimated gas, and uses what a simulation and a trace report', async () => {
    const estimate = BigInt(await ask<string>('eth_estimateGas', request));
    const [block] = await ask<readonly { readonly calls: readonly { readonly gasUsed: string }[] }[]>(
      'eth_simulateV1',
      {
        blockStateCalls: [{ calls: [request] }],
      },
    );
    const list = await ask<{ readonly accessList: readonly { readonly address: string }[]; readonly error?: string }>(
      'eth_createAccessList',
      request,
    );
    expect(list.error).toBeUndefined();
    expect(list.accessList.map(({ address }) => address)).toContain(STAKING);
    const traced = await ask<Frame & { readonly gasUsed: string }>('debug_traceCall', request, 'latest', CALL_TRACER);
    expect(targets(traced)).toEqual([staker, STAKING]);

    receipt = await sent({ ...request, gas: `0x${estimate.toString(16)}` });
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: block?.calls[0]?.gasUsed });
    expect(traced.gasUsed).toBe(receipt.gasUsed);
    // the contract's event follows that of staking
    expect(receipt.logs.map(({ address }) => address)).toEqual([STAKING, staker]);
    expect(await staked()).toBe(VALUE);
  });

  it('a contract that staked is a delegator over REST', async () => {
    const { delegation_responses: delegations } = (await restJson(
      `/cosmos/staking/v1beta1/validators/${operator}/delegations`,
    )) as { readonly delegation_responses: readonly { readonly balance: { readonly amount: string } }[] };
    expect(delegations.map(({ balance }) => balance.amount)).toContain(VALUE.toString());
  });

  it('every tracer shows the call of the staking precompile', async () => {
    const { transactionHash: hash, blockNumber } = receipt;
    expect(targets(await ask<Frame>('debug_traceTransaction', hash, CALL_TRACER))).toEqual([staker, STAKING]);
    const [block] = await ask<readonly { readonly result: Frame }[]>(
      'debug_traceBlockByNumber',
      blockNumber,
      CALL_TRACER,
    );
    expect(block && targets(block.result)).toEqual([staker, STAKING]);
    const { structLogs, failed } = await ask<{
      readonly failed: boolean;
      readonly structLogs: readonly { readonly op: string }[];
    }>('debug_traceTransaction', hash);
    expect([failed, structLogs.some(({ op }) => op === 'CALL')]).toEqual([false, true]);
    const states = await ask<{ readonly pre: object; readonly post: object }>('debug_traceTransaction', hash, {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    });
    // the value came to the contract and went on to the pool of staking
    expect(Object.keys(states.post)).toContain(OWNER);
    const traces = await ask<readonly { readonly action: { readonly to: string } }[]>('trace_transaction', hash);
    expect(traces.map(({ action }) => action.to)).toEqual([staker, STAKING]);
    const replayed = await ask<{ readonly trace: readonly unknown[] }>('trace_replayTransaction', hash, ['trace']);
    expect(replayed.trace).toHaveLength(2);
    const called = await ask<{ readonly trace: readonly unknown[] }>('trace_call', request, ['trace'], 'latest');
    expect(called.trace).toHaveLength(2);
    const shown = await ask<readonly { readonly to: string }[]>('ots_traceTransaction', hash);
    expect(shown.map(({ to }) => to)).toEqual([staker, STAKING]);
  });

  it('the native coin is an ERC-20 token for calls, estimates and transactions', async () => {
    const token = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
    const data = `0x70a08231${OWNER.slice(2).padStart(64, '0')}`;
    const balance = BigInt(await ask<string>('eth_getBalance', OWNER, 'latest'));
    expect(BigInt(await ask<string>('eth_call', { to: token, data }, 'latest'))).toBe(balance);
    const transfer = `0xa9059cbb${'aa'.repeat(20).padStart(64, '0')}${'5'.padStart(64, '0')}`;
    const gas = await ask<string>('eth_estimateGas', { from: OWNER, to: token, data: transfer });
    expect(await sent({ from: OWNER, to: token, data: transfer, gas })).toMatchObject({ status: '0x1' });
    expect(await ask('eth_getBalance', `0x${'aa'.repeat(20)}`, 'latest')).toBe('0x5');
  });

  it('a revert undoes the delegation of a contract', async () => {
    const reverted = await sent({ ...request, data: calling('stakeAndRevert', [operator, VALUE]), gas: '0x7a120' });
    expect(reverted.status).toBe('0x0');
    expect(targets(await ask<Frame>('debug_traceTransaction', reverted.transactionHash, CALL_TRACER))).toContain(
      STAKING,
    );
    const tried = await sent({ ...request, data: calling('tryToStake', [operator, VALUE]), gas: '0x7a120' });
    expect(tried).toMatchObject({ status: '0x1', logs: [{ address: staker }] });
    expect(await staked()).toBe(VALUE);
  });

  it('eth_call runs code that an override puts in the place of a precompile, and refuses to move one', async () => {
    // answers the word 1
    const edits = { [STAKING]: { code: '0x60015f5260205ff3' } };
    expect(await ask('eth_call', { ...request, from: OWNER }, 'latest', edits)).toBe('0x');
    expect(await ask('eth_call', { to: STAKING }, 'latest', edits)).toBe(`0x${'1'.padStart(64, '0')}`);
    const moved = { [STAKING]: { movePrecompileToAddress: `0x${'99'.repeat(20)}` } };
    await expect(ask('eth_call', { to: STAKING }, 'latest', moved)).rejects.toThrow('is not a precompile');
  });
});
