//! Reasons why a transaction is refused without execution: codes in the order of `REFUSALS` in
//! `src/core/evm/decoding.ts`.

use revm::context_interface::result::InvalidTransaction;

/// Code of a refusal.
pub fn refusal_code(reason: &InvalidTransaction) -> u8 {
    use InvalidTransaction::*;
    match reason {
        CallGasCostMoreThanGasLimit { .. } => 0,
        GasFloorMoreThanGasLimit { .. } => 1,
        CreateInitCodeSizeLimit => 2,
        NonceTooLow { .. } => 3,
        NonceTooHigh { .. } => 4,
        NonceOverflowInTransaction => 5,
        LackOfFundForMaxFee { .. } => 6,
        GasPriceLessThanBasefee => 7,
        PriorityFeeGreaterThanMaxFee => 8,
        CallerGasLimitMoreThanBlock => 9,
        TxGasLimitGreaterThanCap { .. } => 10,
        RejectCallerWithCode => 11,
        InvalidChainId | MissingChainId => 12,
        Eip2930NotSupported | Eip1559NotSupported | Eip4844NotSupported | Eip7702NotSupported => 13,
        EmptyAuthorizationList => 14,
        OverflowPaymentInTransaction => 15,
        _ => 16,
    }
}
