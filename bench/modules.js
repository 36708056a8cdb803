/**
 * Modules of the Cosmos application in this process: execution of their messages, the hooks of an empty block, and
 * the load of a large genesis. Measures processor time without trees and database; signatures count as verified.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { createApplication } from '../build/core/app/create-application.js';
import { presets } from '../build/core/app/presets.js';
import { devGenesis } from '../build/core/genesis/dev-genesis.js';
import { toHeight, toTimeNs } from '../build/core/primitives.js';
import { MsgSendSchema } from '../build/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../build/core/proto/cosmos/evm/crypto/v1/ethsecp256k1/keys_pb.js';
import { MsgDelegateSchema } from '../build/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { SignMode } from '../build/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../build/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { decodeBech32, encodeAddress } from '../build/core/sdk/codec/address.js';
import { CacheStore, EMPTY_STATE } from '../build/core/state/overlay.js';
import { readGenesis } from '../build/core/app/chain-of-genesis.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { devAccounts } from './accounts.js';
import { median } from './figures.js';
import { CHAIN_ID, DENOM, PREFIX } from './node-options.js';

const SECOND = 1_000_000_000n;
const GAS = 400_000n;
const BLOCK = 50;
const ROUNDS = 24;
/** Warm-up rounds. */
const WARM = 6;
const chain = { chainId: CHAIN_ID, evmChainId: 271_828n, bech32Prefix: PREFIX, baseDenom: DENOM, minGasPrice: 0n };
const coin = (amount) => ({ denom: DENOM, amount: String(amount) });

const key = (index) => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, index + 1);
  return bytes;
};
const addressOf = (index) => encodeAddress(PREFIX, key(index).slice(0, 20));

/** A state over a single map: one layer for each block would slow later blocks. */
class Kept {
  #store = new CacheStore(EMPTY_STATE);
  get(store, at) {
    return this.#store.get(store, at);
  }
  range(store, range) {
    return this.#store.range(store, range);
  }
  apply(writes) {
    for (const { store, key: at, value } of writes) {
      if (value === undefined) this.#store.delete(store, at);
      else this.#store.set(store, at, value);
    }
  }
}

/** Microseconds of processor time. */
function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

class Chain {
  height = 0n;
  state = new Kept();
  votes = [];

  constructor(crypto, genesis) {
    this.app = createApplication({ version: presets.chronicle, chain, crypto });
    const begun = this.app.initChain(genesis);
    this.state.apply(begun.writes);
    this.votes = begun.validators.map(({ pubKey, power }) => ({
      address: crypto.sha256(pubKey.sum.value).slice(0, 20),
      power,
      flag: 'commit',
    }));
  }

  block(txs) {
    this.height += 1n;
    const result = this.app.finalizeBlock(this.state, {
      height: toHeight(this.height),
      time: toTimeNs((1_700_000_000n + this.height) * SECOND),
      chainId: CHAIN_ID,
      hash: new Uint8Array(32),
      proposerAddress: this.votes[Number(this.height) % this.votes.length].address,
      nextValidatorsHash: new Uint8Array(32),
      previousAppHash: new Uint8Array(32),
      lastCommitVotes: this.votes,
      misbehavior: [],
      lastCommitRound: 0,
      txs,
      verified: new Set(txs.keys()),
    });
    this.state.apply(result.writes);
    return result;
  }
}

function genesisOf(crypto, { accounts, validators, balance }) {
  const document = devGenesis(crypto, {
    chainId: CHAIN_ID,
    time: toTimeNs(1_700_000_000n * SECOND),
    accounts,
    validators: Array.from({ length: validators }, (_, index) => ({
      publicKey: key(1_000_000 + index),
      power: BigInt(1_000 + index),
      name: `v${index}`,
    })),
    ...(balance && { balance }),
    blockMaxGas: 100_000_000n,
  });
  return document;
}

const read = (document) => readGenesis(new TextEncoder().encode(JSON.stringify(document)));

/** Alternates sends and delegations of the same accounts, each kind in its own blocks. */
function messageFigures(crypto) {
  const accounts = devAccounts(BLOCK, PREFIX);
  const dev = new Chain(
    crypto,
    read(genesisOf(crypto, { accounts: accounts.map(({ bech32 }) => bech32), validators: 100 })),
  );
  const operator = encodeAddress(`${PREFIX}valoper`, decodeBech32(accounts[0].bech32).bytes);
  let sequence = 0n;
  const txs = (schema, messageOf) => {
    const made = accounts.map((account, index) =>
      toBinary(
        TxRawSchema,
        create(TxRawSchema, {
          bodyBytes: toBinary(
            TxBodySchema,
            create(TxBodySchema, {
              messages: [
                { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, messageOf(account, index))) },
              ],
            }),
          ),
          authInfoBytes: toBinary(
            AuthInfoSchema,
            create(AuthInfoSchema, {
              signerInfos: [
                {
                  publicKey: {
                    typeUrl: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
                    value: toBinary(PubKeySchema, create(PubKeySchema, { key: account.publicKey })),
                  },
                  modeInfo: { sum: { case: 'single', value: { mode: SignMode.DIRECT } } },
                  sequence,
                },
              ],
              fee: { amount: [coin(GAS * 2_000_000_000n)], gasLimit: GAS },
            }),
          ),
          signatures: [new Uint8Array(64)],
        }),
      ),
    );
    sequence += 1n;
    return made;
  };
  const sends = () =>
    txs(MsgSendSchema, ({ bech32 }, index) => ({
      fromAddress: bech32,
      toAddress: accounts[(index + 1) % BLOCK].bech32,
      amount: [coin(1)],
    }));
  const delegations = () =>
    txs(MsgDelegateSchema, ({ bech32 }) => ({
      delegatorAddress: bech32,
      validatorAddress: operator,
      amount: coin(10n ** 15n),
    }));
  const measured = { empty: [], send: [], delegate: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, make] of [
      ['empty', () => []],
      ['send', sends],
      ['delegate', delegations],
    ]) {
      const block = make();
      let result;
      const time = processorTime(() => {
        result = dev.block(block);
      });
      const failed = result.results.txResults.find(({ code }) => code !== 0);
      if (failed !== undefined) throw new Error(failed.log);
      if (round >= WARM) measured[name].push(time);
    }
  }
  const empty = median(measured.empty);
  const send = (median(measured.send) - empty) / BLOCK;
  const delegate = (median(measured.delegate) - empty) / BLOCK;
  return [
    { name: 'begin and end of a block, 100 validators', value: empty / 1_000, unit: 'ms CPU', goal: '10' },
    { name: 'MsgSend in a block', value: send, unit: 'us CPU' },
    { name: 'MsgDelegate in a block', value: delegate, unit: 'us CPU' },
    { name: 'MsgDelegate in units of MsgSend', value: delegate / send, unit: 'ratio', goal: '4' },
  ];
}

/** A genesis with many accounts, validators and delegations, as a node loads it. */
function largeGenesis(crypto) {
  const people = Array.from({ length: 100_000 }, (_, index) => addressOf(index));
  const document = genesisOf(crypto, { accounts: people, validators: 200, balance: 10n ** 20n });
  const { staking, bank } = document.app_state;
  // powers come from the staking section, because delegations change them
  document.consensus.validators = [];
  staking.params.max_validators = 200;
  const each = 10n ** 18n;
  for (let index = 200; index < 10_000; index += 1) {
    const validator = staking.validators[index % 200];
    validator.tokens = String(BigInt(validator.tokens) + each);
    validator.delegator_shares = `${validator.tokens}.000000000000000000`;
    staking.delegations.push({
      delegator_address: people[index],
      validator_address: validator.operator_address,
      shares: `${each}.000000000000000000`,
    });
  }
  const more = each * 9_800n;
  const pool = bank.balances.at(-1).coins[0];
  pool.amount = String(BigInt(pool.amount) + more);
  bank.supply[0].amount = String(BigInt(bank.supply[0].amount) + more);
  return new TextEncoder().encode(JSON.stringify(document));
}

function loadFigures(crypto) {
  const bytes = largeGenesis(crypto);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let begun;
  const seconds =
    processorTime(() => {
      begun = createApplication({ version: presets.chronicle, chain, crypto }).initChain(readGenesis(bytes));
    }) / 1e6;
  return [
    { name: '100,000 accounts, 200 validators, 10,000 delegations: load', value: seconds, unit: 's CPU', goal: '10' },
    {
      name: 'the same: more resident memory',
      value: (process.memoryUsage.rss() - before) / 1e6,
      unit: 'MB',
      goal: '500',
    },
    { name: 'the same: pairs written', value: begun.writes.length, unit: '' },
  ];
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const crypto = await createHostCrypto();
  return [...messageFigures(crypto), ...loadFigures(crypto)];
}
