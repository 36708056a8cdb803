//! Execution context: block, transaction, configuration, and the journal over committed state.

use crate::{host::state::Database, vm::prices};
use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, TxEnv},
    primitives::hardfork::SpecId,
};

/// revm's context type with our database.
pub type Ctx = Context<BlockEnv, TxEnv, CfgEnv, Database, Journal<Database>, ()>;

/// Creates a context with the gas prices of the fork and the surcharges of the chain.
pub fn new_context(database: Database, spec: SpecId) -> Ctx {
    let mut context = Context::new(database, spec);
    context.cfg.gas_params = prices::gas_params(spec);
    context
}
