/** Compilations that hardhat 2 sends to its node (2.20 `internal/hardhat-network/provider/modules/hardhat.ts`). */
import { compiledContracts } from '../../../../core/abi/compilation.js';
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { isObject } from '../../../../core/text/json-object.js';
import { invalidParams } from '../../errors.js';
import { failed, type Method, method, ok } from '../../method.js';
import { good, type Param, required, wrongKind } from '../../params/param.js';
import { BOOLEAN, COUNT, objectOf, type Schema, TEXT } from '../../schema.js';
import { answerOf, toTrue } from './names.js';

const OBJECT: Schema = { type: 'object' };
const text: Param<string> = required('compiler version', TEXT, (value) =>
  typeof value === 'string' ? good(value) : wrongKind(value, 'string'),
);
const input: Param<Readonly<Record<string, unknown>>> = required('compiler input', OBJECT, (value) =>
  isObject(value) ? good(value) : wrongKind(value, 'object'),
);
const output = { ...input, label: 'compiler output', schema: objectOf({ contracts: OBJECT }) };

/**
 * Creates `hardhat_addCompilationResult`, which adds the compiled contracts to `dev.givenContracts` (with its
 * errors), and `hardhat_getStackTraceFailuresCount`.
 */
export function compilationCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    method(
      'hardhat_addCompilationResult',
      'Gives the contracts of a compilation to the lines that the node prints',
      [text, input, output],
      BOOLEAN,
      ([_version, _input, compiled], { crypto }) => {
        const contracts = compiledContracts(crypto, compiled);
        return contracts === undefined
          ? failed(invalidParams('invalid argument 2: the output has no contracts'))
          : answerOf(dev.givenContracts.add(contracts), toTrue);
      },
    ),
    // only hardhat's own network makes stack traces, so none failed
    method('hardhat_getStackTraceFailuresCount', 'Number of stack traces that could not be made: none', [], COUNT, () =>
      ok('0'),
    ),
  ];
}
