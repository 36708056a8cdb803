//! Fees and nonces: handled by the EVM (Ethereum's rules) or by the host (an ante chain; not at all for calls).

use crate::{block::{is_floor_free, warms_zero}, by_module, database::HostStopped, dirty, dispatch, permission, vm::Vm};
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

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fees {
    /// Checks nonce and balance, takes the fee, pays refund and tip.
    Engine,
    /// The host did: the state's nonce is the transaction's plus one, the fee is gone from the balance.
    Host,
    /// Fees are not taken, and no nonce rises: calls. Limits of transactions in blocks do not hold.
    Nobody,
    /// As `Nobody`, and the nonce of the sender rises, as that of each message does in geth: its calls, estimates and traces.
    Nonce,
}

impl Fees {
    pub fn from_u32(value: u32) -> Self {
        match value {
            0 => Self::Engine,
            1 => Self::Host,
            3 => Self::Nonce,
            _ => Self::Nobody,
        }
    }

    pub fn is_call(self) -> bool {
        matches!(self, Self::Nobody | Self::Nonce)
    }
}

/// Ethereum's handler with fees of ours, and frames that run in the loop of ours.
pub struct FeeHandler {
    fees: Fees,
    pub refused_code: Bytes,
}

impl FeeHandler {
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
        // As when the fee is taken here: a transfer to oneself touches no account, and untouched accounts are not written.
        sender.touch();
        if tx.kind().is_create() {
            // The new contract's address comes from this nonce; making the contract raises it again.
            sender.set_nonce(tx.nonce());
        } else if self.fees == Fees::Nonce {
            // whatever the call says (go-ethereum v1.17 `core/state_transition.go`); the highest is followed by 0 there, too
            sender.set_nonce(sender.nonce().wrapping_add(1));
        }
        Ok(())
    }

    fn load_accounts(&self, vm: &mut Vm) -> Result<(), Self::Error> {
        load_accounts::<_, Self::Error>(vm)?;
        if warms_zero() && vm.ctx().cfg().spec().is_enabled_in(SpecId::SHANGHAI) {
            vm.ctx().journal_mut().warm_coinbase_account(Address::ZERO);
        }
        Ok(())
    }

    fn eip7623_check_gas_floor(&self, _: &mut Vm, result: &mut FrameResult, gas: InitialAndFloorGas) {
        if !is_floor_free() {
            post_execution::eip7623_check_gas_floor(result.gas_mut(), gas);
        }
    }

    fn refund(&self, vm: &mut Vm, result: &mut FrameResult, eip7702: i64) -> Result<(), Self::Error> {
        if by_module::is_running() {
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

    /// As the default, and keeps the code that was not taken, because a halt answers no output.
    fn execution_result(&mut self, vm: &mut Vm, result: FrameResult, mut gas: ResultGas) -> Result<ExecutionResult, Self::Error> {
        if is_floor_free() {
            gas.set_floor_gas(0);
        }
        if let FrameResult::Create(outcome) = &result {
            if !outcome.result.result.is_ok_or_revert() {
                self.refused_code = outcome.result.output.clone();
            }
        }
        take_error::<Self::Error, _>(vm.ctx().error())?;
        let executed = post_execution::output(vm.ctx(), result, gas);
        dirty::collect(vm.ctx());
        vm.ctx().journal_mut().commit_tx();
        vm.ctx().local_mut().clear();
        vm.frame_stack().clear();
        Ok(executed)
    }

    fn run_exec_loop(&mut self, vm: &mut Vm, first: FrameInit) -> Result<FrameResult, Self::Error> {
        if let Some(refused) = permission::refused(&vm.ctx, &first.frame_input) {
            return Ok(refused);
        }
        let own = dirty::moved_to_itself(&first.frame_input);
        let ended = match vm.frame_init(first)? {
            ItemOrResult::Item(_) => None,
            ItemOrResult::Result(result) => Some(result),
        };
        if let Some(own) = own {
            dirty::note_moved_to_itself(&mut vm.ctx, own);
        }
        if let Some(result) = ended {
            return Ok(result);
        }
        loop {
            let result = match dispatch::run_frame(vm)? {
                ItemOrResult::Item(inner) => match by_module::enter(vm, inner)? {
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
