/** Addresses as bech32 text and back (cosmos/evm v0.6 `precompiles/bech32`). */
import { plainError } from '../../sdk/sdk-error.js';
import { SilentRevert, type StatefulPrecompile } from '../../sdk/stateful-precompile.js';
import { rawText } from '../abi/compounds.js';
import { address } from '../abi/words.js';
import { argumentsOf, contractAddress, method, Methods } from '../contract.js';
import { decodeBech32Text, encodeBech32 } from './codec.js';

const GAS = 6_000n;
const ADDRESS_BYTES = 20;
/** The last 20 bytes of an address as text may be any of up to 255. */
const MAX_BYTES = 255;

const asText = new TextDecoder('utf-8', { ignoreBOM: true });
/** Unicode's White_Space, as Go trims it; JavaScript's `trim` has another list. */
const BLANK = /^\p{White_Space}*$/u;

const isBlank = (text: Uint8Array): boolean => BLANK.test(asText.decode(text));

const hexToBech32 = method({
  name: 'hexToBech32',
  inputs: [address, rawText],
  outputs: [rawText],
  run({ chain }, _, [bytes, prefix]) {
    if (isBlank(prefix)) {
      const ours = chain.bech32Prefix;
      throw plainError(
        'invalid bech32 human readable prefix (HRP). Please provide a either an account, validator or consensus ' +
          `address prefix (eg: ${ours}, ${ours}valoper, ${ours}valcons)`,
      );
    }
    return [encodeBech32(prefix, bytes)];
  },
});

const bech32ToHex = method({
  name: 'bech32ToHex',
  inputs: [rawText],
  outputs: [address],
  run(_context, _call, [raw]) {
    const name = asText.decode(raw);
    const [prefix] = name.split('1', 1);
    if (name === '' || prefix === name) throw plainError(`invalid bech32 address: ${name}`);
    const { prefix: found, bytes } = decodeBech32Text(raw);
    if (found !== prefix) throw plainError(`invalid Bech32 prefix; expected ${prefix}, got ${found}`);
    if (bytes.length === 0) throw plainError('addresses cannot be empty: unknown address');
    if (bytes.length > MAX_BYTES)
      throw plainError(`address max length is ${MAX_BYTES}, got ${bytes.length}: unknown address`);
    const short = new Uint8Array(ADDRESS_BYTES);
    short.set(bytes.slice(-ADDRESS_BYTES), Math.max(0, ADDRESS_BYTES - bytes.length));
    return [short];
  },
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
