/** What hardhat 2 tells its node of compilations (`internal/hardhat-network/provider/modules/hardhat.ts`). */
import { compiledContracts } from '../../../../core/abi/compilation.js';
import type { EthereumDevApi } from '../../../../core/ethereum/api.js';
import { isObject } from '../../envelope.js';
import { invalidParams } from '../../errors.js';
import { failed, type Method, method, ok } from '../../method.js';
import { bad, good, kindOf, type Param, required } from '../../params/param.js';
import { answerOf, toTrue } from './names.js';

const text: Param<string> = required('compiler version', (value) =>
  typeof value === 'string' ? good(value) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type string`),
);
const object: Param<Readonly<Record<string, unknown>>> = required('compiler input or output', (value) =>
  isObject(value) ? good(value) : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type object`),
);

export function compilationCommands(dev: EthereumDevApi): readonly Method[] {
  return [
    method('hardhat_addCompilationResult', [text, object, object], ([_version, _input, output], { crypto }) => {
      const contracts = compiledContracts(crypto, output);
      return contracts === undefined
        ? failed(invalidParams('invalid argument 2: the output has no contracts'))
        : answerOf(dev.givenContracts.add(contracts), toTrue);
    }),
    // stack traces are made by hardhat's own network alone, so none failed
    method('hardhat_getStackTraceFailuresCount', [], () => ok('0')),
  ];
}
