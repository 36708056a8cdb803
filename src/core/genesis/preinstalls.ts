/**
 * Contracts of the dev genesis at their addresses on Ethereum's main chain, because deployment tools expect them. The
 * code is as deployed there.
 */
export const DEV_PREINSTALLS = [
  {
    name: 'EIP-2935 history of block hashes',
    address: '0x0000F90827F1C53a10cb7A02335B175320002935',
    code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  },
  {
    name: 'Deterministic deployment proxy (CREATE2)',
    address: '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    code: '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
  },
] as const;
