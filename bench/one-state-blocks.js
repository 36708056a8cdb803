/**
 * Compares three kinds of transactions with the same change of state: a delegation by message, a delegation by
 * contract, and a contract that writes its storage. Measures processor time of this process, without trees and
 * database; signatures count as verified.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeFunctionData, hexToBytes, parseAbi, serializeTransaction } from 'viem';
import { createApplication } from '../build/core/app/create-application.js';
import { readGenesis } from '../build/core/app/chain-of-genesis.js';
import { presets } from '../build/core/app/presets.js';
import { devGenesis } from '../build/core/genesis/dev-genesis.js';
import { decodeTransaction } from '../build/core/ethereum/transaction-codec.js';
import { codeHashKey, codeKey } from '../build/core/modules/evm/store.js';
import { wrapEthereumTransaction } from '../build/core/modules/evm/ethereum-message.js';
import { toHeight, toTimeNs } from '../build/core/primitives.js';
import { MsgSendSchema } from '../build/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../build/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { MsgDelegateSchema } from '../build/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { SignMode } from '../build/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../build/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress } from '../build/core/sdk/codec/address.js';
import { CacheStore, EMPTY_STATE } from '../build/core/state/overlay.js';
import { createEngineFactory } from '../build/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../build/runtime/evm/load-engine.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { devAccounts } from './accounts.js';
import { CHAIN_ID, DENOM, PREFIX } from './node-options.js';
import { inTurns, middle, ratios } from './turns.js';

const SECOND = 1_000_000_000n;
const BLOCK = 50;
/** Blocks in a turn. */
const BLOCKS = 8;
const TURNS = { warm: 12, rounds: 15 };
/** Rounds whose results are fully decoded, which leaves too much garbage to do in the measured ones. */
const WHOLE = new Set([0, TURNS.warm + TURNS.rounds - 1]);
const GAS = 400_000n;
const STAKING = '0x0000000000000000000000000000000000000800';
const WORKER = '0x00000000000000000000000000000000000b0b01';
const ABI = parseAbi([
  'function increment()',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
]);
const chain = { chainId: CHAIN_ID, evmChainId: 271_828n, bech32Prefix: PREFIX, baseDenom: DENOM, minGasPrice: 0n };
const root = fileURLToPath(new URL('..', import.meta.url));
const coin = (amount) => ({ denom: DENOM, amount: String(amount) });

class Chain {
  height = 0n;
  state = new CacheStore(EMPTY_STATE);

  constructor(crypto, accounts) {
    const evm = createEngineFactory(loadEngineModule(), crypto);
    this.app = createApplication({ version: presets.chronicle, chain, crypto, evm });
    const genesis = devGenesis(crypto, {
      chainId: CHAIN_ID,
      time: toTimeNs(1_700_000_000n * SECOND),
      accounts: accounts.map(({ bech32 }) => bech32),
      validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1_000n, name: 'dev' }],
      blockMaxGas: 100_000_000n,
    });
    const begun = this.app.initChain(readGenesis(new TextEncoder().encode(JSON.stringify(genesis))));
    this.#apply(begun.writes);
    this.proposer = crypto.sha256(begun.validators[0].pubKey.sum.value).slice(0, 20);
    this.votes = [{ address: this.proposer, power: begun.validators[0].power, flag: 'commit' }];
    const { Worker } = JSON.parse(readFileSync(join(root, 'test/contracts/contracts.json'), 'utf8'));
    const at = {
      chainId: CHAIN_ID,
      height: toHeight(0n),
      time: toTimeNs(1_700_000_000n * SECOND),
      hash: new Uint8Array(32),
      proposer: this.proposer,
    };
    const { output } = this.app.ethereum.call(this.state, at, { data: hexToBytes(Worker.bytecode) }, [], {});
    const hash = crypto.keccak256(output);
    this.state.set('evm', codeKey(hash), output);
    this.state.set('evm', codeHashKey(hexToBytes(WORKER)), hash);
  }

  #apply(writes) {
    for (const { store, key, value } of writes) {
      if (value === undefined) this.state.delete(store, key);
      else this.state.set(store, key, value);
    }
  }

  /** Executes a block on the state without changing it. */
  execute(txs) {
    this.height += 1n;
    return this.app.finalizeBlock(this.state, {
      height: toHeight(this.height),
      time: toTimeNs((1_700_000_000n + this.height) * SECOND),
      chainId: CHAIN_ID,
      hash: new Uint8Array(32).fill(Number(this.height % 251n)),
      proposerAddress: this.proposer,
      nextValidatorsHash: new Uint8Array(32),
      previousAppHash: new Uint8Array(32),
      lastCommitVotes: this.votes,
      misbehavior: [],
      lastCommitRound: 0,
      txs,
      verified: new Set(txs.keys()),
    });
  }

  keep({ writes }) {
    this.#apply(writes);
  }

  /** Throws unless all transactions have code 0. */
  checkCodes({ results }) {
    for (let index = 0; index < results.txCount; index += 1)
      if (results.outcome(index)?.code !== 0) throw new Error('a transaction failed');
  }

  /** Throws unless all transactions and their calls succeeded. */
  check({ results: { txResults } }) {
    const failed = txResults.find(({ code }) => code !== 0);
    if (failed !== undefined) throw new Error(failed.log);
    const reverted = txResults.some(({ events }) =>
      events.some(({ attributes }) => attributes.some(({ key }) => key === 'ethereumTxFailed')),
    );
    if (reverted) throw new Error('a call failed');
  }
}

function cosmosTx({ publicKey }, sequence, schema, value) {
  const message = { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, value)) };
  const signer = {
    publicKey: {
      typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
      value: toBinary(PubKeySchema, create(PubKeySchema, { key: publicKey })),
    },
    modeInfo: { sum: { case: 'single', value: { mode: SignMode.DIRECT } } },
    sequence,
  };
  const fee = { amount: [coin(GAS * 2_000_000_000n)], gasLimit: GAS };
  return toBinary(
    TxRawSchema,
    create(TxRawSchema, {
      bodyBytes: toBinary(TxBodySchema, create(TxBodySchema, { messages: [message] })),
      authInfoBytes: toBinary(AuthInfoSchema, create(AuthInfoSchema, { signerInfos: [signer], fee })),
      signatures: [new Uint8Array(64)],
    }),
  );
}

function ethereumTx(account, sequence, to, functionName, args) {
  const raw = hexToBytes(
    serializeTransaction(
      {
        type: 'eip1559',
        chainId: Number(chain.evmChainId),
        nonce: Number(sequence),
        gas: GAS,
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 0n,
        to,
        data: encodeFunctionData({ abi: ABI, functionName, args }),
      },
      { r: `0x${'1'.repeat(64)}`, s: `0x${'1'.repeat(64)}`, yParity: 0 },
    ),
  );
  return wrapEthereumTransaction(raw, decodeTransaction(raw).transaction, hexToBytes(account.hex), DENOM);
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const crypto = await createHostCrypto();
  const accounts = devAccounts(BLOCK, PREFIX);
  const dev = new Chain(crypto, accounts);
  const validator = encodeAddress(`${PREFIX}valoper`, hexToBytes(accounts[0].hex));
  const kinds = {
    empty: undefined,
    storage: (one, sequence) => ethereumTx(one, sequence, WORKER, 'increment', []),
    send: (one, sequence) =>
      cosmosTx(one, sequence, MsgSendSchema, {
        fromAddress: one.bech32,
        toAddress: accounts[1].bech32,
        amount: [coin(1)],
      }),
    message: (one, sequence) =>
      cosmosTx(one, sequence, MsgDelegateSchema, {
        delegatorAddress: one.bech32,
        validatorAddress: validator,
        amount: coin(10n ** 15n),
      }),
    contract: (one, sequence) => ethereumTx(one, sequence, STAKING, 'delegate', [one.hex, validator, 10n ** 15n]),
  };
  let sequence = 0n;
  const measured = inTurns(
    Object.entries(kinds).map(([name, make]) => ({
      name,
      units: BLOCKS * BLOCK,
      turn(round) {
        const blocks = Array.from({ length: BLOCKS }, () => {
          const txs = make === undefined ? [] : accounts.map((one) => make(one, sequence));
          if (make !== undefined) sequence += 1n;
          return txs;
        });
        const results = [];
        return {
          run(clock) {
            for (const txs of blocks) {
              const result = clock(() => dev.execute(txs));
              dev.keep(result);
              results.push(result);
            }
          },
          check() {
            for (const result of results)
              if (WHOLE.has(round)) dev.check(result);
              else dev.checkCodes(result);
          },
        };
      },
    })),
    TURNS,
  );
  const [storage, send, message, contract] = ['storage', 'send', 'message', 'contract'].map((name) =>
    measured[name].map((value, round) => value - measured.empty[round]),
  );
  const both = message.map((value, round) => value + storage[round]);
  return [
    { name: 'in a block: transaction of a storage contract', ...middle(storage), unit: 'us CPU' },
    { name: 'in a block: MsgSend', ...middle(send), unit: 'us CPU' },
    { name: 'in a block: MsgDelegate', ...middle(message), unit: 'us CPU' },
    { name: 'in a block: transaction that delegates by contract', ...middle(contract), unit: 'us CPU' },
    {
      name: 'in a block: delegation by contract, times a storage contract',
      ...middle(ratios(contract, storage)),
      unit: 'times',
      goal: '3',
    },
    {
      name: 'in a block: delegation by contract, times MsgDelegate and a storage contract together',
      ...middle(ratios(contract, both)),
      unit: 'times',
      goal: '1.3',
    },
    { name: 'in a block: MsgDelegate, times a storage contract', ...middle(ratios(message, storage)), unit: 'times' },
    { name: 'in a block: MsgDelegate in units of MsgSend', ...middle(ratios(message, send)), unit: 'ratio', goal: '4' },
  ];
}
