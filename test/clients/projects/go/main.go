// go-ethereum's client against a node: sends, receipts, contracts, logs and subscriptions.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func require(holds bool, what string) {
	if !holds {
		log.Fatal(what)
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client := must(ethclient.Dial(os.Args[1]))
	socket := must(ethclient.Dial(os.Args[2]))
	key := must(crypto.HexToECDSA("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"))
	owner := crypto.PubkeyToAddress(key.PublicKey)
	other := common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	chain := must(client.ChainID(ctx))
	require(chain.Int64() == 271828, "chain id")

	heads := make(chan *types.Header, 16)
	subscription := must(socket.SubscribeNewHead(ctx, heads))
	defer subscription.Unsubscribe()

	// Fees that the node quotes are taken, by EIP-1559 and as a legacy transaction.
	before := must(client.BalanceAt(ctx, other, nil))
	nonce := must(client.PendingNonceAt(ctx, owner))
	price := must(client.SuggestGasPrice(ctx))
	tip := must(client.SuggestGasTipCap(ctx))
	signer := types.LatestSignerForChainID(chain)
	for index, inner := range []types.TxData{
		&types.DynamicFeeTx{ChainID: chain, Nonce: nonce, To: &other, Value: big.NewInt(5), Gas: 21000, GasTipCap: tip, GasFeeCap: new(big.Int).Mul(price, big.NewInt(2))},
		&types.LegacyTx{Nonce: nonce + 1, To: &other, Value: big.NewInt(6), Gas: 21000, GasPrice: must(client.SuggestGasPrice(ctx))},
		// a constructor that writes an empty log
		&types.LegacyTx{Nonce: nonce + 2, Data: common.FromHex("0x60006000a000"), Gas: 100000, GasPrice: must(client.SuggestGasPrice(ctx))},
	} {
		tx := must(types.SignNewTx(key, signer, inner))
		if err := client.SendTransaction(ctx, tx); err != nil {
			log.Fatalf("transaction %d: %v", index, err)
		}
		receipt := must(bind.WaitMined(ctx, client, tx))
		require(receipt.Status == 1 && receipt.TxHash == tx.Hash(), "receipt")
		block := must(client.BlockByNumber(ctx, receipt.BlockNumber))
		require(len(block.Transactions()) == 1 && block.Transactions()[0].Hash() == tx.Hash(), "block")
		require(must(types.Sender(signer, block.Transactions()[0])) == owner, "sender")
		require(receipt.BlockHash == block.Hash(), "hash of the block")
		require(must(client.TransactionInBlock(ctx, block.Hash(), 0)).Hash() == tx.Hash(), "transaction in the block")
		parent := must(client.HeaderByNumber(ctx, new(big.Int).Sub(block.Number(), common.Big1)))
		require(block.ParentHash() == parent.Hash(), "hash of the parent")
		hash := block.Hash()
		logs := must(client.FilterLogs(ctx, ethereum.FilterQuery{BlockHash: &hash}))
		require(len(logs) == len(receipt.Logs) && (len(logs) == 1) == (index == 2), "logs of the block")
		require(len(logs) == 0 || logs[0].BlockHash == hash, "block of the log")
		require(must(client.HeaderByHash(ctx, block.ParentHash())).Hash() == parent.Hash(), "parent by its hash")
		require(must(client.BlockByHash(ctx, hash)).Hash() == hash, "block by its hash")
		require(must(client.TransactionCount(ctx, hash)) == 1, "count of transactions")
		receipts := must(client.BlockReceipts(ctx, rpc.BlockNumberOrHashWithHash(hash, false)))
		require(len(receipts) == 1 && receipts[0].TxHash == tx.Hash(), "receipts of the block")
		require(types.CreateBloom(receipt) == block.Bloom(), "bloom")
	}
	sum := new(big.Int).Sub(must(client.BalanceAt(ctx, other, nil)), before)
	require(sum.Int64() == 11, "balance")

	select {
	case head := <-heads:
		require(must(client.HeaderByHash(ctx, head.Hash())).Number.Cmp(head.Number) == 0, "head")
	case err := <-subscription.Err():
		log.Fatal(err)
	case <-ctx.Done():
		log.Fatal("no head was pushed")
	}

	multicall := common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")
	require(len(must(client.CodeAt(ctx, multicall, nil))) > 1000, "code of Multicall3")
	answer := must(client.CallContract(ctx, ethereum.CallMsg{To: &multicall, Data: common.FromHex("0x3408e470")}, nil))
	require(new(big.Int).SetBytes(answer).Int64() == 271828, "getChainId of Multicall3")
	gas := must(client.EstimateGas(ctx, ethereum.CallMsg{From: owner, To: &other, Value: big.NewInt(1)}))
	require(gas == 21000, "estimate")
	history := must(client.FeeHistory(ctx, 2, nil, []float64{50}))
	require(len(history.BaseFee) > 0, "fee history")
	logs := must(client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: big.NewInt(0), Addresses: []common.Address{multicall}}))
	require(len(logs) == 0, "logs")
	geth := gethclient.New(client.Client())
	list, used, failure, err := geth.CreateAccessList(ctx, ethereum.CallMsg{From: owner, To: &multicall, Data: common.FromHex("0x3408e470")})
	require(err == nil && failure == "" && used > 21000 && list != nil, "access list")
	proof := must(geth.GetProof(ctx, other, nil, nil))
	require(proof.Balance.Cmp(must(client.BalanceAt(ctx, other, nil))) == 0, "proof")
	changed := map[common.Address]gethclient.OverrideAccount{other: {Code: common.FromHex("0x60075f5260205ff3")}}
	answer = must(geth.CallContract(ctx, ethereum.CallMsg{To: &other}, nil, &changed))
	require(new(big.Int).SetBytes(answer).Int64() == 7, "call with other code")
	fmt.Println("go-ethereum: all as expected")
}
