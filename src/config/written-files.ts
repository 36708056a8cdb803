/**
 * The app.toml and config.toml of a new home, to be edited by the user: the keys that `start` reads, with their
 * values in the form of the Go node's files (cosmos-sdk v0.53 `server/config/toml.go`, CometBFT v0.38
 * `config/toml.go`).
 */

const HEADER = `# Keys of the Go node's file that \`chronicled start\` reads, below flags, environment and chronicled.toml.
# Other keys of that file have no effect here.
`;

/** Text of app.toml. Omits `evmChainId` if the chain id, a flag or chronicled.toml sets it. */
export function appToml({ denom, evmChainId }: { readonly denom: string; readonly evmChainId: bigint | undefined }) {
  return `${HEADER}
minimum-gas-prices = "0${denom}"

# earlier states that are kept: default (362880), nothing (all of them), everything (2), or custom, by the numbers below
pruning = "default"
pruning-keep-recent = "0"
pruning-interval = "0"

# newest blocks that are kept; 0 keeps all
min-retain-blocks = 0

[api]
address = "tcp://localhost:1317"
# true is cors_allowed_origins = ["*"], for every face
enabled-unsafe-cors = false

[grpc]
address = "localhost:9090"

# snapshots of the state, from which another home begins; 0 takes none
[state-sync]
snapshot-interval = 0
snapshot-keep-recent = 2
${evmChainId === undefined ? '' : `\n[evm]\nevm-chain-id = ${evmChainId}\n`}
[json-rpc]
enable = true
address = "127.0.0.1:8545"
ws-address = "127.0.0.1:8546"
api = "eth,net,web3,txpool"
txfee-cap = 1
`;
}

/** Text of config.toml. `pace`: time between blocks, as a Go duration. */
export function configToml({ pace }: { readonly pace: string }) {
  return `${HEADER}
log_level = "info"
log_format = "plain"

[rpc]
laddr = "tcp://127.0.0.1:26657"
cors_allowed_origins = []

# the timeouts of rounds are those of several validators: an only one waits for nobody
[consensus]
timeout_propose = "3s"
timeout_propose_delta = "500ms"
timeout_prevote = "1s"
timeout_prevote_delta = "500ms"
timeout_precommit = "1s"
timeout_precommit_delta = "500ms"
# also the time from one block to the next
timeout_commit = "${pace}"
# false: no block without transactions; an interval above 0s: one after so long
create_empty_blocks = true
create_empty_blocks_interval = "0s"

# metrics are served in any case; with prometheus = true at this address
[instrumentation]
prometheus = false
prometheus_listen_addr = "127.0.0.1:26660"
`;
}
