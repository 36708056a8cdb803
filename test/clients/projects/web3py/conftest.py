"""
What web3.py's own test module asks of a chain: its contracts and a few transactions, made once by a node at
WEB3_HTTP and WEB3_WS, which goes back to them after each test (web3.py starts a new geth for each one).
"""
import os

import pytest
import pytest_asyncio
from aiohttp import ClientTimeout
from web3 import AsyncHTTPProvider, AsyncWeb3, Web3
from web3._utils.contract_sources.contract_data.emitter_contract import EMITTER_CONTRACT_DATA
from web3._utils.contract_sources.contract_data.math_contract import MATH_CONTRACT_DATA
from web3._utils.contract_sources.contract_data.offchain_lookup import OFFCHAIN_LOOKUP_DATA
from web3._utils.contract_sources.contract_data.panic_errors_contract import PANIC_ERRORS_CONTRACT_DATA
from web3._utils.contract_sources.contract_data.revert_contract import REVERT_CONTRACT_DATA
from web3._utils.contract_sources.contract_data.storage_contract import STORAGE_CONTRACT_DATA
from web3._utils.module_testing.utils import RequestMocker

HTTP = os.environ["WEB3_HTTP"]
KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
# Raw transactions of the module are signed with the key of this account.
RAW_SENDER = "0x39EEed73fb1D3855E90Cbd42f348b3D7b340aAA6"
CONTRACTS = {
    "math": MATH_CONTRACT_DATA,
    "emitter": EMITTER_CONTRACT_DATA,
    "revert": REVERT_CONTRACT_DATA,
    "offchain_lookup": OFFCHAIN_LOOKUP_DATA,
    "panic_errors": PANIC_ERRORS_CONTRACT_DATA,
    "storage": STORAGE_CONTRACT_DATA,
}
LOG_DOUBLE_WITH_INDEX = 9


def web3():
    return Web3(Web3.HTTPProvider(HTTP, request_kwargs={"timeout": 60}))


def asked(method, *params):
    answer = web3().provider.make_request(method, list(params))
    assert "error" not in answer, answer
    return answer["result"]


@pytest.fixture(scope="session")
def made():
    """Addresses of the contracts, hashes of transactions and of their blocks."""
    w3 = web3()
    owner = w3.eth.accounts[0]
    asked("anvil_setBalance", RAW_SENDER, hex(10**27))

    def mined(sent):
        asked("evm_mine")
        return w3.eth.wait_for_transaction_receipt(sent, timeout=120, poll_latency=0.05)

    facts = {}
    for name, data in CONTRACTS.items():
        receipt = mined(w3.eth.contract(**data).constructor().transact({"from": owner}))
        facts[name] = receipt["contractAddress"]
        facts[f"{name}_deployed"] = receipt["transactionHash"]
    emitter = w3.eth.contract(address=facts["emitter"], abi=EMITTER_CONTRACT_DATA["abi"])
    receipt = mined(emitter.functions.logDouble(LOG_DOUBLE_WITH_INDEX, 12345, 54321).transact({"from": owner}))
    facts["logged"], facts["block_with_log"] = receipt["transactionHash"], receipt["blockHash"]
    asked("evm_mine")
    facts["empty_block"] = w3.eth.get_block("latest")["hash"]
    receipt = mined(w3.eth.send_transaction({"from": owner, "to": owner, "value": 1, "gas": 21000}))
    facts["sent"], facts["block_with_sent"] = receipt["transactionHash"], receipt["blockHash"]
    return facts


@pytest.fixture(autouse=True)
def unchanged(made):
    snapshot = asked("evm_snapshot")
    yield
    assert asked("evm_revert", snapshot)


@pytest.fixture
def w3():
    return web3()


@pytest_asyncio.fixture
async def async_w3(made):
    client = AsyncWeb3(AsyncHTTPProvider(HTTP, request_kwargs={"timeout": ClientTimeout(60)}))
    yield client
    await client.provider.disconnect()


@pytest.fixture(scope="module", params=["bytes", "text"])
def address_of(request):
    return (lambda text: bytes.fromhex(text[2:])) if request.param == "bytes" else (lambda text: text)


def fact(name):
    """A fixture that is one of the facts."""

    @pytest.fixture
    def value(made):
        return made[name]

    return value


def block(name):
    @pytest.fixture
    def value(w3, made):
        return w3.eth.get_block(made[name])

    return value


def async_block(name):
    @pytest_asyncio.fixture
    async def value(async_w3, made):
        return await async_w3.eth.get_block(made[name])

    return value


def contract(name):
    @pytest.fixture
    def value(w3, made):
        return w3.eth.contract(**CONTRACTS[name])(address=made[name])

    return value


def async_contract(name):
    @pytest.fixture
    def value(async_w3, made):
        return async_w3.eth.contract(**CONTRACTS[name])(address=made[name])

    return value


def contract_address(name):
    @pytest.fixture
    def value(made, address_of):
        return address_of(made[name])

    return value


@pytest.fixture
def keyfile_account_pkey():
    return KEY


@pytest.fixture
def keyfile_account_address(w3):
    return w3.eth.accounts[0]


@pytest.fixture
def keyfile_account_address_dual_type(keyfile_account_address, address_of):
    return keyfile_account_address


@pytest.fixture
def request_mocker():
    return RequestMocker


@pytest.fixture
def skip_if_testrpc():
    """The node is not web3.py's own tester, so nothing is skipped."""
    return lambda _client: None


async_skip_if_testrpc = skip_if_testrpc
async_keyfile_account_address = keyfile_account_address
async_keyfile_account_address_dual_type = keyfile_account_address_dual_type
math_contract_deploy_txn_hash = fact("math_deployed")
mined_txn_hash = fact("sent")
txn_hash_with_log = fact("logged")
empty_block, async_empty_block = block("empty_block"), async_block("empty_block")
block_with_txn, async_block_with_txn = block("block_with_sent"), async_block("block_with_sent")
block_with_txn_with_log, async_block_with_txn_with_log = block("block_with_log"), async_block("block_with_log")
math_contract, async_math_contract = contract("math"), async_contract("math")
emitter_contract, async_emitter_contract = contract("emitter"), async_contract("emitter")
revert_contract, async_revert_contract = contract("revert"), async_contract("revert")
storage_contract, async_storage_contract = contract("storage"), async_contract("storage")
panic_errors_contract, async_panic_errors_contract = contract("panic_errors"), async_contract("panic_errors")
offchain_lookup_contract = contract("offchain_lookup")
async_offchain_lookup_contract = async_contract("offchain_lookup")
math_contract_address = async_math_contract_address = contract_address("math")
emitter_contract_address = async_emitter_contract_address = contract_address("emitter")
