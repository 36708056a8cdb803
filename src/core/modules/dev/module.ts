/** Dev chains: sets balances, accounts and block facts without signatures, if the genesis allows it. */
import { hexData } from '../../bytes/hex.js';
import { asObject } from '../../text/json-object.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { readSection, writeSection } from '../../sdk/module/genesis-section.js';
import type { Module } from '../../sdk/module/module.js';
import { GenesisStateSchema } from '../../proto/chronicle/dev/v1/dev_pb.js';
import { isDev, runDevAnte } from './ante.js';
import {
  deferFactsOf,
  isEnabled,
  setEnabled,
  STORE,
  coinbaseOverride,
  extraDataOverride,
  prevRandaoOverride,
} from '../../sdk/module/development-chain.js';
import { beginHeaderHashes, getBlockHashes } from '../evm/block-hashes.js';
import { setAccount } from './set-account.js';
import { setBalance } from './set-balance.js';
import { setBlockFacts } from './set-block-facts.js';
import { getSequence, setSequence } from './store.js';

/** Emits the block facts that were set, for Ethereum JSON-RPC. */
function beginBlock(context: Context): void {
  const overrides = [
    ['coinbase', coinbaseOverride(context)],
    ['prev_randao', prevRandaoOverride(context, context.height)],
    ['extra_data', extraDataOverride(context)],
  ] as const;
  const attributes = overrides.flatMap(([key, value]) => (value === undefined ? [] : [[key, hexData(value)] as const]));
  if (attributes.length > 0) context.events.push(abciEvent('dev_block', attributes));
}

/** A block with only dev commands keeps base fee and PREVRANDAO for the next block. */
function endBlock(context: Context): void {
  if (context.block.holdsCommand) deferFactsOf(context, context.height);
}

/** Section as version 1 writes it: the export of a chain upgraded to version 2 uses another field name. */
function withNamesOfV1(section: unknown): unknown {
  const { unsigned_transactions: renamed, ...rest } = asObject(section) ?? {};
  return renamed === undefined ? (section ?? {}) : { ...rest, enabled: renamed };
}

export const devModule: Module = {
  name: 'dev',
  store: STORE,
  consensusVersion: 1n,
  initGenesis(context, section, facts) {
    const { enabled, sequence, headerHashes } = readSection(
      'app_state.dev',
      GenesisStateSchema,
      withNamesOfV1(section),
    );
    setEnabled(context, enabled);
    setSequence(context, sequence);
    if (headerHashes) beginHeaderHashes(context, facts);
  },
  exportGenesis: (context) =>
    writeSection(GenesisStateSchema, {
      enabled: isEnabled(context),
      sequence: getSequence(context.store),
      headerHashes: getBlockHashes(context) !== undefined,
    }),
  messages: [setBalance, setAccount, setBlockFacts],
  beginBlock,
  endBlock,
  queries: [],
  transactions: { includes: isDev, ante: runDevAnte, runsEvm: false, isFree: true },
};
