//! The transaction handler. Either the engine charges fees and raises nonces by Ethereum's rules, or the host already
//! did so in its ante handler. Calls are free.

use crate::{
    host::state::HostStopped,
    instructions::dispatch,
    peer::{state_reads, unchanged_writes},
    vm::{block_rules::block_rules, frame, machine::Vm},
};
use revm::{
    context::{Cfg, ContextTr, JournalTr, LocalContextTr, Transaction},
    context_interface::{
        journaled_state::account::JournaledAccountTr,
        context::take_error,
        result::{EVMError, ExecutionResult, HaltReason, InvalidTransaction, ResultGas},
    },
    handler::{
        EvmTr, FrameResult, Handler, ItemOrResult, post_execution,
        pre_execution::{load_accounts, validate_account_nonce_and_code, validate_against_state_and_deduct_caller},
    },
    inspector::InspectorHandler,
    interpreter::{InitialAndFloorGas, interpreter::EthInterpreter, interpreter_action::FrameInit},
    primitives::{Address, Bytes, U256, hardfork::SpecId},
};

/// How the fee and the nonce of a transaction are handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fees {
    /// The engine checks nonce and balance, deducts the fee, and pays the refund and the tip.
    Engine,
    /// The host has deducted the fee and set the nonce to that of the transaction plus one.
    Host,
    /// Calls: no fee, no nonce increment, and no checks of block transactions.
    Free,
    /// Like `Free`, but increments the sender's nonce, as geth does in calls, estimates and traces.
    FreeWithNonce,
}

impl Fees {
    /// Decodes the number of the port. Panics on any other number, which is a bug of the host.
    pub fn from_u32(value: u32) -> Self {
        match value {
            0 => Self::Engine,
            1 => Self::Host,
            2 => Self::Free,
            3 => Self::FreeWithNonce,
            _ => panic!("{value} is no handling of fees that the port knows"),
        }
    }

    /// True for calls: they pay no fee.
    pub fn is_call(self) -> bool {
        matches!(self, Self::Free | Self::FreeWithNonce)
    }
}

/// Ethereum's handler with one of these `Fees`. Frames run in the loop of `instructions::dispatch`.
pub struct FeeHandler {
    fees: Fees,
    /// Code of a refused contract creation; see `Executed`.
    pub refused_code: Bytes,
}

impl FeeHandler {
    /// Creates a handler for one transaction.
    pub fn new(fees: Fees) -> Self {
        Self { fees, refused_code: Bytes::new() }
    }
}

impl Handler for FeeHandler {
    type Evm = Vm;
    type Error = EVMError<HostStopped>;
    type HaltReason = HaltReason;

    fn validate_against_state_and_deduct_caller(&self, vm: &mut Vm, _: &mut InitialAndFloorGas) -> Result<(), Self::Error> {
        if self.fees == Fees::Engine {
            return validate_against_state_and_deduct_caller(vm.ctx());
        }
        let (_, tx, cfg, journal, _, _) = vm.ctx_mut().all_mut();
        let mut sender = journal.load_account_with_code_mut(tx.caller())?.data;
        validate_account_nonce_and_code(&sender.account().info, tx.nonce(), cfg.is_eip3607_disabled(), true)?;
        if *sender.balance() < tx.value() {
            let (fee, balance) = (Box::new(tx.value()), Box::new(*sender.balance()));
            return Err(InvalidTransaction::LackOfFundForMaxFee { fee, balance }.into());
        }
        // Deducting a fee would touch the sender. A transfer to oneself does not, and untouched accounts are not
        // written.
        sender.touch();
        if tx.kind().is_create() {
            // The new contract's address depends on this nonce; the creation increments it again.
            sender.set_nonce(tx.nonce());
        } else if self.fees == Fees::FreeWithNonce {
            // geth increments the nonce of the state, not of the message, and wraps to 0 (go-ethereum v1.17
            // `core/state_transition.go`).
            sender.set_nonce(sender.nonce().wrapping_add(1));
        }
        Ok(())
    }

    fn load_accounts(&self, vm: &mut Vm) -> Result<(), Self::Error> {
        load_accounts::<_, Self::Error>(vm)?;
        if block_rules().warms_zero && vm.ctx().cfg().spec().is_enabled_in(SpecId::SHANGHAI) {
            vm.ctx().journal_mut().warm_coinbase_account(Address::ZERO);
        }
        Ok(())
    }

    fn eip7623_check_gas_floor(&self, _: &mut Vm, result: &mut FrameResult, gas: InitialAndFloorGas) {
        if !block_rules().is_floor_free {
            post_execution::eip7623_check_gas_floor(result.gas_mut(), gas);
        }
    }

    /// Refunds of a call by a module are not capped (EIP-3529).
    fn refund(&self, vm: &mut Vm, result: &mut FrameResult, eip7702: i64) -> Result<(), Self::Error> {
        if state_reads::is_metered() {
            result.gas_mut().record_refund(eip7702);
            result.gas_mut().set_final_refund(1);
        } else {
            post_execution::refund(vm.ctx().cfg().gas_params(), result.gas_mut(), eip7702);
        }
        Ok(())
    }

    fn reimburse_caller(&self, vm: &mut Vm, result: &mut FrameResult) -> Result<(), Self::Error> {
        if self.fees == Fees::Engine {
            post_execution::reimburse_caller(vm.ctx(), result.gas(), U256::ZERO)?;
        }
        Ok(())
    }

    fn reward_beneficiary(&self, vm: &mut Vm, result: &mut FrameResult) -> Result<(), Self::Error> {
        if self.fees == Fees::Engine {
            post_execution::reward_beneficiary(vm.ctx(), result.gas())?;
        }
        Ok(())
    }

    /// Like revm's default, but keeps the code of a refused contract creation, because a halt has no output.
    fn execution_result(&mut self, vm: &mut Vm, result: FrameResult, mut gas: ResultGas) -> Result<ExecutionResult, Self::Error> {
        if block_rules().is_floor_free {
            gas.set_floor_gas(0);
        }
        if let FrameResult::Create(outcome) = &result {
            if !outcome.result.result.is_ok_or_revert() {
                self.refused_code = outcome.result.output.clone();
            }
        }
        take_error::<Self::Error, _>(vm.ctx().error())?;
        let executed = post_execution::output(vm.ctx(), result, gas);
        unchanged_writes::collect(vm.ctx());
        vm.ctx().journal_mut().commit_tx();
        vm.ctx().local_mut().clear();
        vm.frame_stack().clear();
        Ok(executed)
    }

    fn run_exec_loop(&mut self, vm: &mut Vm, first: FrameInit) -> Result<FrameResult, Self::Error> {
        if let Some(result) = frame::start_first(vm, first)? {
            return Ok(result);
        }
        loop {
            let result = match dispatch::run_frame(vm)? {
                ItemOrResult::Item(inner) => match frame::start_inner(vm, inner)? {
                    None => continue,
                    Some(result) => result,
                },
                ItemOrResult::Result(result) => result,
            };
            if let Some(last) = vm.frame_return_result(result)? {
                return Ok(last);
            }
        }
    }
}

impl InspectorHandler for FeeHandler {
    type IT = EthInterpreter;
}
