import { beforeEach, describe, expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { hasOpenRpc, resultProblems, resultValidator } from '../../support/openrpc.js';
import { CONTRACT, OTHER, SECOND_TOPIC, SENDER, TOPIC, bytes, signed, transfer } from './fake-node.js';
import { type Face, openFace } from './face.js';

const zero = `0x${'00'.repeat(32)}`;

describe.skipIf(!hasOpenRpc)('results have the shape of the OpenRPC document', () => {
  let face: Face;
  beforeEach(() => {
    face = openFace({ dev: true });
  });
  const check = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const answer = await face.call(method, ...params);
    expect(answer.error, method).toBeUndefined();
    if (resultValidator(method) === undefined) throw new Error(`no schema for ${method}`);
    expect(resultProblems(method, answer.result)).toEqual([]);
    return answer.result;
  };

  it('for constants, fees and accounts', async () => {
    for (const method of [
      'eth_chainId',
      'eth_syncing',
      'eth_accounts',
      'eth_blockNumber',
      'eth_gasPrice',
      'eth_maxPriorityFeePerGas',
      'eth_baseFee',
      'eth_blobBaseFee',
      'eth_coinbase',
      'net_version',
      'txpool_status',
    ])
      await check(method);
    expect(await check('eth_capabilities')).toMatchObject({
      head: { number: '0x4' },
      state: { disabled: false, oldestBlock: '0x0' },
      stateproofs: { disabled: false, oldestBlock: '0x0', deleteStrategy: { type: 'window', retentionBlocks: '0x80' } },
    });
    await check('eth_feeHistory', '0x3', 'latest', [0, 50, 100]);
    await check('eth_feeHistory', 0, 'latest', []);
    await check('eth_getBalance', hexData(SENDER), 'latest');
    await check('eth_getBalance', hexData(SENDER));
    await check('eth_getTransactionCount', hexData(SENDER), 'pending');
    await check('eth_getCode', hexData(CONTRACT), 'latest');
    await check('eth_getStorageAt', hexData(CONTRACT), '0x0', 'latest');
    await check('eth_getStorageValues', { [hexData(CONTRACT)]: ['0x0', '0x1'], [hexData(OTHER)]: ['0x2'] });
  });

  it('for blocks, transactions and receipts of every type, and for missing ones', async () => {
    for (const number of [
      '0x0',
      '0x1',
      '0x2',
      '0x3',
      '0x4',
      '0xff',
      'earliest',
      'latest',
      'pending',
      'safe',
      'finalized',
    ]) {
      await check('eth_getBlockByNumber', number, false);
      await check('eth_getBlockByNumber', number, true);
      await check('eth_getBlockReceipts', number);
      await check('eth_getBlockTransactionCountByNumber', number);
    }
    for (const block of face.node.blocks) {
      await check('eth_getBlockByHash', hexData(block.hash), true);
      expect(await check('debug_getRawReceipts', `0x${block.height}`)).toHaveLength(block.transactions.length);
      for (const transaction of block.transactions) {
        await check('eth_getTransactionByHash', hexData(transaction.hash));
        await check('eth_getTransactionReceipt', hexData(transaction.hash));
        expect(await check('debug_getRawTransaction', hexData(transaction.hash))).toBe(hexData(transaction.raw));
        await check('eth_getTransactionByBlockHashAndIndex', hexData(block.hash), `0x${transaction.index}`);
        await check('eth_getTransactionByBlockNumberAndIndex', `0x${block.height}`, `0x${transaction.index}`);
      }
    }
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt'])
      expect(await check(method, zero)).toBeNull();
    expect(await check('eth_getBlockByHash', zero, false)).toBeNull();
  });

  it('for logs and filters', async () => {
    expect(await check('eth_getLogs', { fromBlock: '0x0' })).toHaveLength(4);
    expect(
      await check('eth_getLogs', { fromBlock: '0x0', address: hexData(OTHER), topics: [hexData(TOPIC)] }),
    ).toHaveLength(1);
    const block = await check('eth_newBlockFilter');
    const logs = await check('eth_newFilter', { topics: [hexData(TOPIC)] });
    const pending = await check('eth_newPendingTransactionFilter');
    for (const filter of [block, logs, pending]) expect(await check('eth_getFilterChanges', filter)).toEqual([]);
    face.node.append([{ transaction: transfer, logs: [{ address: CONTRACT, topics: [TOPIC], data: bytes('') }] }]);
    expect(await check('eth_getFilterChanges', block)).toHaveLength(1);
    expect(await check('eth_getFilterChanges', logs)).toHaveLength(1);
    expect(await check('eth_getFilterLogs', logs)).toHaveLength(1);
    expect(await check('eth_uninstallFilter', logs)).toBe(true);
    expect(await check('eth_uninstallFilter', logs)).toBe(false);
  });

  it('for calls, signatures and the pool', async () => {
    await check('eth_call', { to: hexData(CONTRACT) }, 'latest');
    await check('eth_estimateGas', { to: hexData(CONTRACT) });
    await check('eth_createAccessList', { to: hexData(CONTRACT) }, 'latest');
    face.node.accessList = { kind: 'list', accessList: [], gasUsed: 1n, error: 'execution reverted' };
    await check('eth_createAccessList', { to: hexData(CONTRACT) });
    expect(await check('debug_getBadBlocks')).toEqual([]);
    await check('eth_sendRawTransaction', '0x01');
    expect(
      await check('eth_fillTransaction', { from: hexData(SENDER), to: hexData(OTHER), value: '0x1' }),
    ).toMatchObject({ tx: { type: '0x2', nonce: '0x6', gas: '0x5208', to: hexData(OTHER), value: '0x1' } });
    await check('eth_fillTransaction', { to: hexData(OTHER), gasPrice: '0x1', accessList: [] });
    await check('eth_fillTransaction', { from: hexData(SENDER), data: '0x60', gasPrice: '0x1' });
    await check('eth_sendTransaction', { from: hexData(SENDER), to: hexData(OTHER), value: '0x1' });
    await check('eth_signTransaction', { from: hexData(SENDER), to: hexData(OTHER), gasPrice: '0x1' });
    await check('eth_sign', hexData(SENDER), '0x12');
    const waiting = signed({
      type: 2,
      chainId: 9_000n,
      nonce: 5n,
      gasLimit: 21_000n,
      to: OTHER,
      value: 1n,
      data: bytes(''),
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 1n,
      accessList: [],
    });
    face.node.pending.push({ hash: TOPIC, from: SENDER, transaction: waiting });
    face.node.queued.push({ hash: SECOND_TOPIC, from: SENDER, transaction: { ...waiting, nonce: 9n } });
    await check('txpool_content');
    await check('txpool_contentFrom', hexData(SENDER));
    expect(await check('txpool_status')).toEqual({ pending: '0x1', queued: '0x1' });
  });
});
