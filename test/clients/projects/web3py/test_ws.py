"""web3.py's own test module over a websocket."""
import os

import pytest_asyncio
from test_http import TestAsyncDebug, TestAsyncEth, TestAsyncNet, TestAsyncTxPool, TestAsyncWeb3
from web3 import AsyncWeb3, WebSocketProvider
from web3._utils.module_testing.persistent_connection_provider import PersistentConnectionProviderTest


@pytest_asyncio.fixture
async def async_w3(made):
    async with AsyncWeb3(WebSocketProvider(os.environ["WEB3_WS"], request_timeout=60)) as client:
        yield client


class TestPersistentConnection(PersistentConnectionProviderTest):
    pass
