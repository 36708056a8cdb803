const ETH_KEY = '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey';

/** Type URLs that Ethermint and Evmos wallets send, with the URLs that preset `chronicle` replaces them by. */
export const typeUrlAliases = {
  '/ethermint.crypto.v1.ethsecp256k1.PubKey': ETH_KEY,
  '/cosmos.evm.crypto.eth.ethsecp256k1.PubKey': ETH_KEY,
  '/ethermint.evm.v1.MsgEthereumTx': '/cosmos.evm.vm.v1.MsgEthereumTx',
  '/ethermint.types.v1.ExtensionOptionDynamicFeeTx': '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx',
  '/ethermint.evm.v1.ExtensionOptionsEthereumTx': '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
} as const;
