/** Versions reported by status and `comet version` (CometBFT v0.38 `version/version.go`). */
export const COMET_VERSION = '0.38.21';
export const ABCI_VERSION = '2.0.0';
export const P2P_PROTOCOL = 8n;
export const BLOCK_PROTOCOL = 11n;
