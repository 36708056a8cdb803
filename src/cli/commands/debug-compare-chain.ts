import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/**
 * `debug compare-chain FOLDER`: executes the chain of FOLDER (`genesis.json`, `blocks.jsonl`) from its genesis.
 * Prints the first difference, the first differing log and, last, `N of M app hashes equal`. Exits with 0 only if
 * nothing but logs differs.
 */
const compareChain: CommandBody = async ({ ports }, [folder = ''], flags) => {
  const text = flags.text('evm-chain-id');
  if (text !== undefined && !/^[1-9][0-9]{0,17}$/.test(text))
    throw new CommandError(EXIT.usage, `--evm-chain-id: not a positive number: ${text}`);
  const { equal, recorded, difference, remark } = await ports.compareChain({
    folder,
    preset: flags.text('preset') ?? 'evmd',
    evmChainId: text === undefined ? undefined : BigInt(text),
  });
  for (const one of difference?.texts ?? []) ports.stdout(`height ${difference?.height}: ${one}\n`);
  if (remark !== undefined) ports.stdout(`height ${remark.height}: ${remark.text} (logs are in no hash)\n`);
  ports.stdout(`${equal} of ${recorded} app hashes equal\n`);
  if (difference !== undefined || equal < recorded || recorded === 0)
    throw new CommandError(EXIT.failed, 'the chains differ');
};

export const commands: readonly CommandRow[] = [
  command(
    'debug compare-chain <folder>',
    'execute a recorded chain from its genesis and compare app hashes',
    ['prefix'],
    compareChain,
    {
      options: [
        { flag: '--preset <preset>', doc: 'application of the recorded chain', default: 'evmd' },
        { flag: '--evm-chain-id <id>', doc: 'EIP-155 id, where the chain id names none' },
      ],
    },
  ),
];
