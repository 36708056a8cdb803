//! Who takes fees and counts nonces: the EVM (Ethereum's rules) or the host (an ante chain, or nobody for calls).

use crate::{database::HostStopped, vm::Vm};
use revm::{
    context::{Cfg, ContextTr, JournalTr, Transaction},
    context_interface::{
        journaled_state::account::JournaledAccountTr,
        result::{EVMError, HaltReason, InvalidTransaction},
    },
    handler::{
        EvmTr, FrameResult, Handler, post_execution,
        pre_execution::{validate_account_nonce_and_code, validate_against_state_and_deduct_caller},
    },
    inspector::InspectorHandler,
    interpreter::{InitialAndFloorGas, interpreter::EthInterpreter},
    primitives::U256,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fees {
    /// Checks nonce and balance, takes the fee, pays refund and tip.
    Engine,
    /// The host did: the state's nonce is the transaction's plus one, the fee is gone from the balance.
    Host,
    /// Nobody takes fees: calls and estimates. Limits of transactions in blocks do not hold.
    Nobody,
}

impl Fees {
    pub fn from_u32(value: u32) -> Self {
        match value {
            0 => Self::Engine,
            1 => Self::Host,
            _ => Self::Nobody,
        }
    }
}

pub struct FeeHandler(pub Fees);

impl Handler for FeeHandler {
    type Evm = Vm;
    type Error = EVMError<HostStopped>;
    type HaltReason = HaltReason;

    fn validate_against_state_and_deduct_caller(&self, vm: &mut Vm, _: &mut InitialAndFloorGas) -> Result<(), Self::Error> {
        if self.0 == Fees::Engine {
            return validate_against_state_and_deduct_caller(vm.ctx());
        }
        let (_, tx, cfg, journal, _, _) = vm.ctx_mut().all_mut();
        let mut sender = journal.load_account_with_code_mut(tx.caller())?.data;
        validate_account_nonce_and_code(&sender.account().info, tx.nonce(), cfg.is_eip3607_disabled(), true)?;
        if *sender.balance() < tx.value() {
            let (fee, balance) = (Box::new(tx.value()), Box::new(*sender.balance()));
            return Err(InvalidTransaction::LackOfFundForMaxFee { fee, balance }.into());
        }
        if tx.kind().is_create() {
            // The new contract's address comes from this nonce; making the contract raises it again.
            sender.set_nonce(tx.nonce());
        }
        Ok(())
    }

    fn reimburse_caller(&self, vm: &mut Vm, result: &mut FrameResult) -> Result<(), Self::Error> {
        if self.0 == Fees::Engine {
            post_execution::reimburse_caller(vm.ctx(), result.gas(), U256::ZERO)?;
        }
        Ok(())
    }

    fn reward_beneficiary(&self, vm: &mut Vm, result: &mut FrameResult) -> Result<(), Self::Error> {
        if self.0 == Fees::Engine {
            post_execution::reward_beneficiary(vm.ctx(), result.gas())?;
        }
        Ok(())
    }
}

impl InspectorHandler for FeeHandler {
    type IT = EthInterpreter;
}
