/**
 * Method names that clients of other nodes call are served: those of geth (v1.17), of ethermint (v0.14), of anvil
 * (foundry after 1.7.1, master of August 2026, `crates/anvil/core/src/eth/mod.rs`), and of hardhat's and ganache's
 * development nodes.
 */
import { expect, it } from 'vitest';
import { openFace } from './face.js';

/** Names without their namespace, in alphabetical order. */
const NAMES: Readonly<Record<string, string>> = {
  eth: `accounts baseFee blobBaseFee blockNumber call callBundle callMany capabilities chainId coinbase config createAccessList estimateGas
    feeHistory fillTransaction gasPrice getAccount getAccountInfo getBalance getBlockAccessList
    getBlockAccessListByBlockHash getBlockAccessListByBlockNumber getBlockAccessListRaw getCompilers getWork getBlockByHash getBlockByNumber getBlockReceipts
    getBlockTransactionCountByHash getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs
    getHeaderByHash getHeaderByNumber getLogs getPendingTransactions getProof getRawTransactionByBlockHashAndIndex
    getRawTransactionByBlockNumberAndIndex getRawTransactionByHash getStorageAt getStorageValues
    getTransactionByBlockHashAndIndex getTransactionByBlockNumberAndIndex getTransactionByHash
    getTransactionBySenderAndNonce getTransactionCount getTransactionLogs getTransactionReceipt
    getUncleByBlockHashAndIndex getUncleByBlockNumberAndIndex getUncleCountByBlockHash getUncleCountByBlockNumber
    hashrate maxPriorityFeePerGas mining networkId newBlockFilter newFilter newPendingTransactionFilter pendingTransactions
    protocolVersion requestAccounts resend sendRawTransaction sendRawTransactionConditional sendRawTransactionSync sendTransaction
    sendTransactionSync sendUnsignedTransaction sign signRawTransaction signTransaction signTypedData signTypedData_v3 signTypedData_v4
    simulateV1 submitHashrate submitWork subscribe syncing uninstallFilter unsubscribe`,
  net: 'listening peerCount version',
  rpc: 'discover modules',
  txpool: 'content contentFrom inspect status',
  web3: 'clientVersion sha3',
  debug: `accountInfoAt codeByHash dbGet executionWitness freeOSMemory getModifiedAccountsByNumber getRawTransactions
    clearTxpool getBadBlocks getBlockRlp getHeaderRlp getRawBlock getRawHeader getRawReceipts getRawTransaction
    setHead storageRangeAt traceBlock traceBlockByHash traceBlockByNumber traceCall traceTransaction`,
  erigon: 'getHeaderByNumber',
  ots: `getApiLevel getBlockDetails getBlockDetailsByHash getBlockTransactions getContractCreator getInternalOperations
    getTransactionBySenderAndNonce getTransactionError hasCode searchTransactionsAfter searchTransactionsBefore
    traceTransaction`,
  trace: `block blockOpcodeGas call callMany filter get rawTransaction replayBlockTransactions replayTransaction
    transaction transactionOpcodeGas`,
  personal: `ecRecover importRawKey listAccounts lockAccount newAccount sendTransaction sign signTransaction
    unlockAccount`,
  miner: 'setEtherbase setExtra setGasPrice start stop',
  evm: `addAccount increaseTime mine mine_detailed removeAccount revert setAccountBalance setAccountCode setAccountNonce setAccountStorageAt setAutomine
    setBlockGasLimit setIntervalMining setNextBlockTimestamp setTime snapshot unlockUnknownAccount`,
  anvil: `addBalance autoImpersonateAccount classifyTransaction dealERC20 dealTIP20 dropAllTransactions dropTransaction dumpState getAutomine
    getBlobByHash getBlobsByTransactionHash getGenesisTime getIntervalMining getLastBlockWallTime impersonateAccount impersonateSignature increaseTime
    loadState metadata mine mine_detailed nodeInfo removeBlockTimestampInterval removePoolTransactions reorg reset
    revert rollback setAutomine setBalance setBlockGasLimit setBlockTimestampInterval setChainId setCode setCoinbase
    setERC20Allowance setERC20Balance setIntervalMining setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas
    setFeeAmmLiquidity setFeeToken setNextBlockPrevRandao setNextBlockTimestamp setNonce setRpcUrl setStorageAt setTime
    setValidatorFeeToken snapshot stopImpersonatingAccount`,
  hardhat: `addCompilationResult getStackTraceFailuresCount intervalMine addBalance autoImpersonateAccount dealERC20 dropAllTransactions dropTransaction dumpState getAutomine
    impersonateAccount loadState metadata mine reset setBalance setCode setCoinbase setLoggingEnabled setMinGasPrice
    setNextBlockBaseFeePerGas setNonce setPrevRandao setStorageAt stopImpersonatingAccount`,
  tenderly: 'addBalance setBalance',
};

it('every name is served in dev mode, and names that control the node only there', () => {
  const wanted = Object.entries(NAMES).flatMap(([namespace, names]) =>
    names.split(/\s+/).map((name) => `${namespace}_${name}`),
  );
  const { methods } = openFace({ dev: true }).rpc;
  expect(wanted.filter((name) => !methods.includes(name))).toEqual([]);
  const served = openFace({ namespaces: Object.keys(NAMES) }).rpc.methods;
  expect(served.filter((name) => /^(evm|anvil|hardhat|ganache|tenderly|miner)_/.test(name))).toEqual([]);
});
