//! Writes of the Go node that change no value (cosmos/evm v0.6 `x/vm/statedb`). It writes each account with a journal
//! entry, even if later changes restore the old value. For these accounts it writes all slots that an instruction
//! changed, even in a reverted frame. The engine includes these writes only in blocks that show touches
//! (`vm::block_rules`).

use crate::{
    host::{single::Single, state::UNDO_MARK},
    vm::{block_rules::block_rules, context::Ctx, touched},
};
use revm::{
    context::{ContextTr, JournalEntry, JournalTr},
    handler::FrameResult,
    interpreter::{
        CallScheme, FrameInput, InstructionContext, InstructionExecResult, InstructionResult,
        instructions::host::{self, sstore_default_gas_accounting, sstore_with_gas_accounting},
        interpreter::EthInterpreter,
    },
    primitives::{Address, U256},
};
use std::collections::{BTreeMap, BTreeSet};

static SLOTS: Single<BTreeMap<Address, BTreeSet<U256>>> = Single::new(BTreeMap::new());
static ACCOUNTS: Single<Accounts> =
    Single::new(Accounts { changed: BTreeSet::new(), received_zero: BTreeSet::new(), code_set: BTreeSet::new() });

#[derive(Default)]
struct Accounts {
    /// Accounts that a journal entry changes.
    changed: BTreeSet<Address>,
    /// Accounts that received zero wei: from SELFDESTRUCT or STATICCALL.
    received_zero: BTreeSet<Address>,
    /// Accounts whose code was set, perhaps to the same code.
    code_set: BTreeSet<Address>,
}

/// A transfer from an account to itself.
pub struct SelfTransfer {
    account: Address,
    amount: U256,
}

/// Clears the writes of the last transaction.
pub fn clear() {
    SLOTS.with(BTreeMap::clear);
    ACCOUNTS.with(|accounts| *accounts = Accounts::default());
}

/// SSTORE that also records the slot that it changes.
pub fn sstore(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let slot = context.interpreter.stack.peek(0).unwrap_or_default();
    sstore_with_gas_accounting(context, |context, target, load| {
        sstore_default_gas_accounting(context, target, load)?;
        if block_rules().shows_touches && load.data.present_value != load.data.new_value {
            SLOTS.with(|slots| slots.entry(target).or_default().insert(slot));
        }
        Ok(())
    })
}

/// Target of a STATICCALL. go-ethereum adds zero wei to its balance (`core/vm/evm.go` of v1.16), so the Go node
/// creates a missing account.
pub fn static_callee(frame: &FrameInput) -> Option<Address> {
    match frame {
        FrameInput::Call(call) if block_rules().shows_touches && call.scheme == CallScheme::StaticCall => Some(call.target_address),
        _ => None,
    }
}

/// Records in the journal that the account received zero wei, unless the call failed immediately. `exports::diff`
/// finds precompiles without this entry.
pub fn record_static_callee(ctx: &mut Ctx, address: Address, ended: Option<&FrameResult>) {
    let succeeded = match ended {
        None => true,
        Some(FrameResult::Call(outcome)) => outcome.result.result.is_ok() && !outcome.was_precompile_called,
        Some(FrameResult::Create(_)) => false,
    };
    if succeeded {
        let entry = JournalEntry::BalanceTransfer { from: address, to: address, balance: U256::ZERO };
        ctx.journaled_state.inner.journal.push(entry);
    }
}

/// Transfer of a call from an account to itself. revm's journal does not record it, but the Go node writes the
/// account.
pub fn self_transfer(frame: &FrameInput) -> Option<SelfTransfer> {
    let FrameInput::Call(call) = frame else { return None };
    let is_own = call.scheme == CallScheme::Call && call.caller == call.target_address;
    let amount = call.transfer_value().filter(|value| block_rules().shows_touches && is_own && !value.is_zero())?;
    Some(SelfTransfer { account: call.caller, amount })
}

/// Records the transfer in the journal.
pub fn record_self_transfer(ctx: &mut Ctx, SelfTransfer { account, amount }: SelfTransfer) {
    ctx.journal_mut().touch_account(account);
    let transfer = JournalEntry::BalanceTransfer { from: account, to: account, balance: amount };
    ctx.journaled_state.inner.journal.push(transfer);
}

/// SELFDESTRUCT that also records its beneficiary, and the self-transfer of a contract that survives (EIP-6780).
pub fn selfdestruct(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let contract = interpreter.input.target_address;
    let beneficiary = interpreter.stack.peek(0).ok().map(|top| Address::from_word(top.into()));
    let is_own = block_rules().shows_touches && beneficiary == Some(contract);
    let result = host::selfdestruct(InstructionContext { interpreter, host: &mut *ctx });
    if let (Some(beneficiary), Err(InstructionResult::SelfDestruct)) = (beneficiary, &result) {
        touched::record(beneficiary);
    }
    if let (true, Err(InstructionResult::SelfDestruct), Some(account)) = (is_own, &result, ctx.journaled_state.inner.state.get(&contract)) {
        let amount = account.info.balance;
        if !amount.is_zero() {
            record_self_transfer(ctx, SelfTransfer { account: contract, amount });
        }
    }
    result
}

/// Collects the accounts that the journal has changed so far.
pub fn collect(ctx: &Ctx) {
    if !block_rules().shows_touches {
        return;
    }
    let mut accounts = Accounts::default();
    for entry in &ctx.journaled_state.inner.journal {
        match entry {
            JournalEntry::AccountDestroyed { address, had_balance, target, .. } => {
                accounts.changed.insert(*address);
                accounts.add_payment(target, had_balance);
            }
            JournalEntry::BalanceTransfer { from, to, balance } => {
                accounts.add_payment(to, balance);
                if !balance.is_zero() {
                    accounts.changed.insert(*from);
                }
            }
            JournalEntry::StorageChanged { address, .. } if *address == UNDO_MARK => {}
            JournalEntry::BalanceChange { address, .. }
            | JournalEntry::NonceChange { address, .. }
            | JournalEntry::NonceBump { address }
            | JournalEntry::AccountCreated { address, .. }
            | JournalEntry::StorageChanged { address, .. } => {
                accounts.changed.insert(*address);
            }
            JournalEntry::CodeChange { address, .. } => {
                accounts.changed.insert(*address);
                accounts.code_set.insert(*address);
            }
            _ => {}
        }
    }
    ACCOUNTS.with(|kept| *kept = accounts);
}

impl Accounts {
    fn add_payment(&mut self, to: &Address, amount: &U256) {
        if amount.is_zero() { &mut self.received_zero } else { &mut self.changed }.insert(*to);
    }
}

/// True if a journal entry changes the account.
pub fn is_changed(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.changed.contains(address))
}

/// True if the code of the account was set. The Go node writes it even if it is the same.
pub fn is_code_set(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.code_set.contains(address))
}

/// True if the account received zero wei. The Go node then creates a missing account.
pub fn has_received_zero(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.received_zero.contains(address))
}

/// The slots of the account that an instruction changed.
pub fn slots(address: &Address) -> Vec<U256> {
    SLOTS.with(|slots| slots.get(address).map_or_else(Vec::new, |slots| slots.iter().copied().collect()))
}
