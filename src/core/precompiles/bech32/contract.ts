/** Bech32 precompile: converts between hexadecimal and bech32 addresses (cosmos/evm v0.6 `precompiles/bech32`). */
import { text } from '../../bytes/bytes.js';
import { lastTwentyBytes } from '../../keys/address.js';
import { writeBech32 } from '../../sdk/codec/bech32.js';
import { readPrefixed } from '../../sdk/codec/bech32-address.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { SilentRevert, type StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { rawText } from '../abi/compounds.js';
import { address } from '../abi/words.js';
import { argumentsOf, contractAddress, Methods, viewMethod } from '../contract.js';

const GAS = 6_000n;

const hexToBech32 = viewMethod('hexToBech32', [address, rawText], [rawText], ({ chain }, [bytes, prefix]) => {
  if (isBlank(text(prefix))) {
    const ours = chain.bech32Prefix;
    throw plainError(
      'invalid bech32 human readable prefix (HRP). Please provide a either an account, validator or consensus ' +
        `address prefix (eg: ${ours}, ${ours}valoper, ${ours}valcons)`,
    );
  }
  return [writeBech32(prefix, bytes)];
});

const bech32ToHex = viewMethod('bech32ToHex', [rawText], [address], (_context, [raw]) => {
  const name = text(raw);
  const [prefix] = name.split('1', 1);
  if (name === '' || prefix === name) throw plainError(`invalid bech32 address: ${name}`);
  const read = readPrefixed(prefix ?? '', raw);
  if (!read.ok) throw read.error;
  return [lastTwentyBytes(read.bytes)];
});

const methods = new Methods([hexToBech32, bech32ToHex]);

export const bech32Contract: StatefulPrecompile = {
  address: contractAddress(0x400),
  functions: methods.all,
  kind: 'pure',
  storeGas: false,
  requiredGas: () => GAS,
  run(context, call) {
    if (call.input.length < 4) throw new SilentRevert();
    return methods.require(context.crypto, call.input).answer(context, call, argumentsOf(call.input));
  },
};
