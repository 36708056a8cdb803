"""web3.py's own test module over HTTP, without what starts and stops the servers of a geth (`admin`)."""
from web3._utils.module_testing import (
    AsyncEthModuleTest,
    AsyncNetModuleTest,
    EthModuleTest,
    GoEthereumAsyncDebugModuleTest,
    GoEthereumAsyncTxPoolModuleTest,
    GoEthereumDebugModuleTest,
    GoEthereumTxPoolModuleTest,
    NetModuleTest,
    Web3ModuleTest,
)
from web3._utils.module_testing.web3_module import AsyncWeb3ModuleTest


class TestEth(EthModuleTest):
    pass


class TestNet(NetModuleTest):
    pass


class TestWeb3(Web3ModuleTest):
    def _check_web3_client_version(self, client_version):
        assert client_version.startswith("anvil/chronicled/")


class TestDebug(GoEthereumDebugModuleTest):
    pass


class TestTxPool(GoEthereumTxPoolModuleTest):
    pass


class TestAsyncEth(AsyncEthModuleTest):
    pass


class TestAsyncNet(AsyncNetModuleTest):
    pass


class TestAsyncWeb3(AsyncWeb3ModuleTest):
    _check_web3_client_version = TestWeb3._check_web3_client_version


class TestAsyncDebug(GoEthereumAsyncDebugModuleTest):
    pass


class TestAsyncTxPool(GoEthereumAsyncTxPoolModuleTest):
    pass
