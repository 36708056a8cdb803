"""web3.py against a node: sends, receipts, contracts, logs, filters, subscriptions and errors."""
import asyncio
import json
import sys

from web3 import AsyncWeb3, Web3, WebSocketProvider
from web3.exceptions import ContractCustomError

http, socket, token = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
w3 = Web3(Web3.HTTPProvider(http))
owner, other = w3.eth.accounts[:2]
account = w3.eth.account.from_key("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
assert w3.is_connected() and w3.eth.chain_id == 271828

# Fees that the node quotes are taken, as a legacy transaction and by EIP-1559.
before = w3.eth.get_balance(other)
for fees in ({"gasPrice": w3.eth.gas_price}, {}):
    sent = w3.eth.send_transaction({"from": owner, "to": other, "value": 1, **fees})
    assert w3.eth.wait_for_transaction_receipt(sent)["status"] == 1
assert w3.eth.get_balance(other) == before + 2
signed = account.sign_transaction(
    {
        "to": other,
        "value": 3,
        "gas": 21000,
        "maxFeePerGas": 2 * w3.eth.gas_price,
        "maxPriorityFeePerGas": w3.eth.max_priority_fee,
        "nonce": w3.eth.get_transaction_count(owner),
        "chainId": w3.eth.chain_id,
    }
)
receipt = w3.eth.wait_for_transaction_receipt(w3.eth.send_raw_transaction(signed.raw_transaction))
assert receipt["status"] == 1 and w3.eth.get_balance(other) == before + 5

deployed = w3.eth.contract(abi=token["abi"], bytecode=token["bytecode"]).constructor("Token", "TOK", 1000)
address = w3.eth.wait_for_transaction_receipt(deployed.transact({"from": owner}))["contractAddress"]
contract = w3.eth.contract(address=address, abi=token["abi"])
polled = contract.events.Transfer.create_filter(from_block="latest")
receipt = w3.eth.wait_for_transaction_receipt(contract.functions.transfer(other, 7).transact({"from": owner}))
assert contract.functions.balanceOf(other).call() == 7
assert contract.functions.balanceOf(other).call(block_identifier=receipt["blockNumber"] - 1) == 0
assert [event["args"]["value"] for event in contract.events.Transfer().process_receipt(receipt)] == [7]
assert 7 in [event["args"]["value"] for event in polled.get_new_entries()]
assert len(contract.events.Transfer.get_logs(from_block=0)) == 2
try:
    contract.functions.transfer(owner, 8).call({"from": other})
    raise SystemExit("a transfer without funds went through")
except ContractCustomError as error:
    assert error.data.startswith("0x")


async def subscribed():
    """Heads by subscription while a transaction is sent."""
    async with AsyncWeb3(WebSocketProvider(socket)) as live:
        await live.eth.subscribe("newHeads")
        await live.eth.send_transaction({"from": owner, "to": other, "value": 1})
        async for message in live.socket.process_subscriptions():
            return message["result"]["number"]


assert asyncio.run(asyncio.wait_for(subscribed(), 30)) > 0
print("web3.py: all as expected")
