/**
 * Contracts of the dev genesis at their Ethereum mainnet addresses, where tools expect them.
 * `docs/decisions/0017-preinstalls.md` says whose code equals mainnet's.
 */
import { CREATEX, ERC1820, MULTICALL3, PERMIT2 } from './preinstall-code.js';

/** Code of both CREATE2 factories: input is salt and init code, output is the address. */
const CREATE2_PROXY =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

export const DEV_PREINSTALLS = [
  {
    name: 'EIP-2935 history of block hashes',
    address: '0x0000F90827F1C53a10cb7A02335B175320002935',
    code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  },
  {
    name: 'Deterministic deployment proxy (CREATE2)',
    address: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    code: CREATE2_PROXY,
  },
  {
    name: 'Safe singleton factory (CREATE2)',
    address: '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7',
    code: CREATE2_PROXY,
  },
  { name: 'Multicall3', address: '0xcA11bde05977b3631167028862bE2a173976CA11', code: MULTICALL3 },
  { name: 'Permit2', address: '0x000000000022D473030F116dDEE9F6B43aC78BA3', code: PERMIT2 },
  { name: 'ERC-1820 registry', address: '0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24', code: ERC1820 },
  { name: 'CreateX', address: '0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed', code: CREATEX },
] as const;
