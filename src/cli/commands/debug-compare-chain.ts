import type { CommandBody } from '../command-table.js';
import { CommandError, EXIT } from '../exit-codes.js';

/**
 * `debug compare-chain FOLDER`: executes the chain of FOLDER (`genesis.json`, `blocks.jsonl`) from its genesis. Prints
 * the first difference and, last, `N of M app hashes equal`; exit code 0 only when nothing differs.
 */
export const compareChain: CommandBody = async ({ ports }, [folder = ''], flags) => {
  const text = flags.text('evm-chain-id');
  if (text !== undefined && !/^[1-9][0-9]{0,17}$/.test(text))
    throw new CommandError(EXIT.usage, `--evm-chain-id: not a positive number: ${text}`);
  const { equal, recorded, difference } = await ports.compareChain({
    folder,
    preset: flags.text('preset') ?? 'evmd',
    evmChainId: text === undefined ? undefined : BigInt(text),
  });
  for (const one of difference?.texts ?? []) ports.stdout(`height ${difference?.height}: ${one}\n`);
  ports.stdout(`${equal} of ${recorded} app hashes equal\n`);
  if (difference !== undefined || equal < recorded || recorded === 0)
    throw new CommandError(EXIT.other, 'the chains differ');
};
