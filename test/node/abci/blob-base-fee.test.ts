/** Transactions that execute BLOBBASEFEE under the preset `evmd`: results as evmd v0.6.0 gave them. */
import { expect, test } from 'vitest';
import {
  QueryAccountInfoRequestSchema,
  QueryAccountInfoResponseSchema,
} from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import {
  QueryStorageRequestSchema,
  QueryStorageResponseSchema,
} from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import {
  QueryProposalRequestSchema,
  QueryProposalResponseSchema,
} from '../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { blocksOfBlobBaseFee, shownResult } from '../../peer/evm/blob-base-fee.js';
import { EVM_CHAIN_ID, GENESIS, NAME } from '../../peer/evm/signer.js';
import { ask, block, started } from './engine-node.js';

const PANIC = 'recovered: runtime error: invalid memory address or nil pointer dereference: panic';
/** Code, gas used and wanted, place among Ethereum transactions, why it failed, log. */
const RESULTS = [
  `straight: undefined 111222, 0 of 1000000, 0, -, ${PANIC}`,
  'transfer:  0, 21000 of 21000, 0, -, ',
  `in a call whose result nobody reads: undefined 111222, 0 of 1000000, 1, -, ${PANIC}`,
  `in a static call: undefined 111222, 0 of 1000000, 1, -, ${PANIC}`,
  `in a constructor: undefined 111222, 0 of 1000000, 1, -, ${PANIC}`,
  `in the constructor of a contract: undefined 111222, 0 of 1000000, 1, -, ${PANIC}`,
  'without gas for it:  0, 21001 of 21001, 1, out of gas, ',
  `with gas for it alone: undefined 111222, 0 of 21002, 2, -, ${PANIC}`,
  `in a call of a frame that reverts: undefined 111222, 0 of 1000000, 2, -, ${PANIC}`,
  'on a full stack:  0, 1000000 of 1000000, 2, stack limit reached 1024 (1023), ',
  'in a call without gas for it:  0, 250000 of 1000000, 3, -, ',
  'transfer:  0, 21000 of 21000, 4, -, ',
  `with wei: undefined 111222, 0 of 1000000, 5, -, ${PANIC}`,
  `the name of a token: undefined 111222, 99918 of 2000000, -, -, ${PANIC}`,
  'a token:  0, 257028 of 2000000, -, -, ',
  'turn:  0, 250000 of 1000000, 0, -, ',
  `the balance of a token: undefined 111222, 107080 of 2000000, -, -, ${PANIC}`,
  `an execution of a conversion: undefined 111222, 107920 of 2000000, -, -, ${PANIC}`,
  'transfer:  0, 21000 of 21000, 1, -, ',
  `after a message that moved coins: undefined 111222, 126228 of 2000000, -, -, ${PANIC}`,
  'balance:  0, 250000 of 1000000, 0, -, ',
  'a proposal that registers a token:  0, 169146 of 2000000, -, -, ',
  'a vote for it:  0, 74372 of 2000000, -, -, ',
];

test(
  'a transaction that executes BLOBBASEFEE fails with a panic, and its sender pays the fee',
  { timeout: 60_000 },
  async () => {
    const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
    const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
    const commit = async (height: bigint, txs: readonly Uint8Array[] = []) => {
      const results = await node.engine.finalizeBlock(block(node, height, txs));
      await node.engine.commit();
      return results;
    };
    const account = async () => {
      const { info } = await ask(
        node,
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        QueryAccountInfoRequestSchema,
        { address: NAME },
        QueryAccountInfoResponseSchema,
      );
      return { number: info?.accountNumber ?? 0n, sequence: info?.sequence };
    };
    const slot = async (address: string, key: string) => {
      const request = { address, key };
      const path = '/cosmos.evm.vm.v1.Query/Storage';
      return (await ask(node, path, QueryStorageRequestSchema, request, QueryStorageResponseSchema)).value;
    };
    await commit(1n);
    const { number, sequence = 0n } = await account();
    const { blocks, caller, balance } = await blocksOfBlobBaseFee(number);
    const shown: string[] = [];
    for (const [index, steps] of blocks.entries()) {
      const results = await commit(
        BigInt(index + 2),
        steps.map(({ tx }) => tx),
      );
      for (const [at, { name }] of steps.entries()) {
        const result = results.txResult(at);
        if (name !== 'deployment') shown.push(`${name}: ${result === undefined ? '' : shownResult(result)}`);
      }
    }
    expect(shown).toEqual(RESULTS);
    expect((await account()).sequence).toBe(sequence + BigInt(blocks.flat().length));
    expect(await slot(caller, '0x1')).toMatch(/^0x0+$/);
    // the next transaction does not see the value that a failed one sent
    expect(BigInt(await slot(balance, '0x0'))).toBe(5n + 6n + 7n);
    for (let height = blocks.length + 2; height <= blocks.length + 12; height += 1) await commit(BigInt(height));
    const { proposal } = await ask(
      node,
      '/cosmos.gov.v1.Query/Proposal',
      QueryProposalRequestSchema,
      { proposalId: 1n },
      QueryProposalResponseSchema,
    );
    expect(proposal?.failedReason).toContain('PANICKED: runtime error: invalid memory address');
    await node.node.stop();
  },
);
