/** The EVM (cosmos/evm v0.6 `x/vm`): Ethereum transactions on the chain's accounts and balances. */
import { anyText } from '../../bytes/any-text.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { message, type Module } from '../../sdk/module/module.js';
import { invalidRequest, type RegisteredError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { Msg } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { INVALID_SIGNER, requireAuthority, validateAccount } from '../authority.js';
import { hashesEvent } from '../../ethereum/header-facts.js';
import { getBaseFee } from '../feemarket/params.js';
import { ethereumAnte } from './ante/chain.js';
import { getBlockHashes, setBlockHashes, storeInHistory } from './block-hashes.js';
import { isEthereum } from './ethereum-message.js';
import { ethereumTx } from './execute.js';
import { executionRules } from './execution-rules.js';
import { exportGenesis, initGenesis } from './genesis.js';
import { evmKeeper } from './keeper.js';
import { queries } from './queries.js';
import { addressOfKey, setParams, STORE } from './store.js';
import { unsupportedParam } from './supported-params.js';
import { invalidParams } from './validate-params.js';

const INVALID_PREINSTALL: RegisteredError = { codespace: 'evm', code: 20, text: 'invalid preinstall' };

function requireGovernance(context: Context, authority: string): void {
  requireAuthority(
    context,
    authority,
    (expected, got) => new SdkError(INVALID_SIGNER, `invalid authority, expected ${expected}, got ${got}`),
  );
}

const updateParams = message(Msg, 'updateParams', {
  validate({ authority, params }, { chain }) {
    validateAccount(authority, chain.bech32Prefix, 'invalid authority address');
    const wrong = params === undefined ? undefined : invalidParams(params);
    if (wrong !== undefined) throw wrong;
  },
  handle(context, { authority, params }) {
    requireGovernance(context, authority);
    if (params === undefined) throw invalidRequest('params cannot be empty');
    const unsupported = unsupportedParam(params, context.version.evm.fork);
    if (unsupported !== undefined)
      throw new SdkError(sdkErrors.notSupported, `${unsupported.field}: ${unsupported.text}`);
    setParams(context, params);
  },
});

const registerPreinstalls = message(Msg, 'registerPreinstalls', (context, { authority, preinstalls }) => {
  requireGovernance(context, authority);
  for (const one of preinstalls) {
    const wrong = executionRules.of(context).preinstall(context, one);
    if (wrong !== undefined) throw new SdkError(INVALID_PREINSTALL, wrong);
  }
});

/** Emits the base fee in wei, 0 when the chain has none (cosmos/evm v0.6 `x/vm/keeper/abci.go`). */
function beginBlock(context: Context): void {
  context.events.push(abciEvent('evm_fee_market', [['base_fee', getBaseFee(context).toString()]]));
  if (context.version.blockLimit === 'gas wanted') storeInHistory(context, context.block.hash);
}

/**
 * Emits the bloom as raw bytes in text form (cosmos/evm v0.6 `x/vm/keeper/keeper.go`), and stores the block's hash.
 */
function endBlock(context: Context): void {
  const { hash, headerHash } = context.block;
  const before = getBlockHashes(context);
  if (before !== undefined && headerHash !== undefined) {
    setBlockHashes(context, { ethereum: headerHash, consensus: hash });
    context.events.push(hashesEvent(headerHash, before.ethereum));
  } else if (context.version.blockLimit === 'gas used') storeInHistory(context, hash);
  context.events.push(abciEvent('block_bloom', [['bloom', anyText(context.block.tally.bloom)]]));
}

export const evmModule: Module = {
  name: 'evm',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [ethereumTx, updateParams, registerPreinstalls],
  queries,
  beginBlock,
  endBlock,
  transactions: {
    includes: isEthereum,
    ante: (context, tx, verified) => ethereumAnte.of(context).run(context, tx, verified),
    runsEvm: true,
    isFree: false,
  },
  keepers: { evm: evmKeeper },
  evmAddressOf: addressOfKey,
};
