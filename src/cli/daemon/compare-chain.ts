import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { ChainComparison, ComparedChainOptions } from '../context.js';
import { EvmChainIdNeeded, GenesisRefused } from '../../core/app/chain-of-genesis.js';
import { compareChain } from '../compare/compare-chain.js';
import { openRecordedChain, RecordingRefused } from '../compare/recorded-chain.js';
import { createHostCrypto } from '../../runtime/host/crypto.js';
import type { CommandOutput } from './command-output.js';

/** `debug compare-chain`: compares the chain in a folder; on a terminal it shows the current height. */
export async function compareChainIn(
  { folder, preset, evmChainId }: ComparedChainOptions,
  { status }: Pick<CommandOutput, 'status'>,
): Promise<ChainComparison> {
  try {
    const recording = openRecordedChain(folder);
    const crypto = await createHostCrypto();
    const progress = status && ((height: bigint): void => status(`executing height ${height}`));
    return await compareChain({ recording, preset, evmChainId, crypto, ...(progress && { progress }) });
  } catch (error) {
    if (error instanceof RecordingRefused || error instanceof GenesisRefused)
      throw new CommandError(EXIT.failed, error.message);
    if (error instanceof EvmChainIdNeeded) throw new CommandError(EXIT.usage, error.message);
    throw error;
  } finally {
    status?.('');
  }
}
