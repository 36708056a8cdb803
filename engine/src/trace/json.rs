//! Writes traces as JSON.

use crate::{
    host::wire::JSON_LIMIT,
    trace::{faults, log_index, prestate, tracer::Tracer},
    vm::{execute::Executed, machine::Vm},
};
use alloy_rpc_types_trace::{
    geth::{GethTrace, PreStateFrame},
    parity::{Action, LocalizedTransactionTrace, TraceOutput},
};
use revm::{context::TxEnv, primitives::hex};
use revm_inspectors::{access_list::AccessListInspector, tracing::DebugInspector};
use serde_json::{Value, json};
use std::io::{Error, Write};

/// Error for a trace that is too large.
pub const TOO_LARGE: &str = "trace too large";

/// Writes the result of a tracer as JSON. The error is text for the client.
pub fn finish(tracer: Tracer, vm: &mut Vm, transaction: &TxEnv, executed: &Executed) -> Result<Vec<u8>, String> {
    let mut out = Bounded(Vec::new());
    match tracer {
        Tracer::StructLogs(logger) => return Ok(logger.finish(&executed.outcome.result)),
        Tracer::AccessList(inspector) => return Ok(write_access_list(inspector)),
        Tracer::Preimages(preimages) => return Ok(preimages.finish()),
        Tracer::Erc7562(tracer, mut frames) => {
            if let GethTrace::CallTracer(root) = trace_of(&mut frames, vm, transaction, executed)? {
                map_write_error(tracer.write(&mut out, root))?;
            }
        }
        Tracer::PrestateWithEmpty(mut inspector, with_storage) => {
            let mut trace = trace_of(&mut inspector, vm, transaction, executed)?;
            prestate::add_empty(&mut trace, &executed.outcome.state, vm, with_storage)?;
            map_write_error(serde_json::to_writer(&mut out, &trace))?;
        }
        Tracer::Revm(mut inspector) => {
            let trace = trace_of(&mut inspector, vm, transaction, executed)?;
            map_write_error(serde_json::to_writer(&mut out, &trace))?;
        }
        Tracer::FlatWithExecutionGas(mut inspector) => {
            let limit = first_gas_limit(&inspector);
            let mut trace = result_of(&mut inspector, vm, transaction, executed)?;
            if let (GethTrace::FlatCallTracer(traces), Some(limit)) = (&mut trace, limit) {
                set_gas_limit(traces, limit);
            }
            map_write_error(serde_json::to_writer(&mut out, &trace))?;
        }
        Tracer::Mux(tracers) => {
            let mut separator = "{";
            for (name, tracer) in tracers {
                let json = finish(tracer, vm, transaction, executed)?;
                map_write_error(write!(out, "{separator}{}:", json!(name)).and_then(|()| out.write_all(&json)))?;
                separator = ",";
            }
            map_write_error(out.write_all(if separator == "{" { b"{}" } else { b"}" }))?;
        }
    }
    Ok(out.0)
}

fn trace_of(inspector: &mut DebugInspector, vm: &mut Vm, transaction: &TxEnv, executed: &Executed) -> Result<GethTrace, String> {
    // geth removes the logs of a failed transaction.
    if let (DebugInspector::CallTracer(_, config), false) = (&mut *inspector, executed.outcome.result.is_success()) {
        config.with_log = Some(false);
    }
    let mut trace = result_of(inspector, vm, transaction, executed)?;
    match &mut trace {
        GethTrace::CallTracer(frame) => {
            faults::set_errors(frame);
            log_index::set_indices(frame);
        }
        GethTrace::PreStateTracer(PreStateFrame::Diff(difference)) => prestate::drop_empty(difference, vm)?,
        GethTrace::FlatCallTracer(traces) => set_gas_used(traces, executed.outcome.result.tx_gas_used()),
        _ => {}
    }
    Ok(trace)
}

fn result_of(inspector: &mut DebugInspector, vm: &mut Vm, transaction: &TxEnv, executed: &Executed) -> Result<GethTrace, String> {
    let block = vm.ctx.block.clone();
    let database = &mut vm.ctx.journaled_state.database;
    inspector.get_result(None, transaction, &block, &executed.outcome, database).map_err(|error| error.to_string())
}

/// Gas limit of the flat call tracer's first frame: the transaction's gas limit minus its intrinsic gas.
fn first_gas_limit(inspector: &DebugInspector) -> Option<u64> {
    match inspector {
        DebugInspector::FlatCallTracer(calls) => calls.traces().nodes().first().map(|first| first.trace.gas_limit),
        _ => None,
    }
}

fn set_gas_limit(traces: &mut [LocalizedTransactionTrace], limit: u64) {
    match traces.first_mut().map(|first| &mut first.trace.action) {
        Some(Action::Call(call)) => call.gas = limit,
        Some(Action::Create(create)) => create.gas = limit,
        _ => {}
    }
}

/// Sets the gas used of the first frame to that of the transaction, as geth does.
fn set_gas_used(traces: &mut [LocalizedTransactionTrace], gas: u64) {
    match traces.first_mut().and_then(|first| first.trace.result.as_mut()) {
        Some(TraceOutput::Call(output)) => output.gas_used = gas,
        Some(TraceOutput::Create(output)) => output.gas_used = gas,
        None => {}
    }
}

fn write_access_list(inspector: AccessListInspector) -> Vec<u8> {
    let items = inspector.into_access_list().0.into_iter().map(|item| {
        let keys: Vec<_> = item.storage_keys.iter().map(hex::encode_prefixed).collect();
        json!({ "address": hex::encode_prefixed(item.address), "storageKeys": keys })
    });
    Value::from_iter(items).to_string().into_bytes()
}

/// Maps write errors: `Bounded` fails only at its limit.
fn map_write_error<E>(result: Result<(), E>) -> Result<(), String> {
    result.map_err(|_| TOO_LARGE.to_string())
}

/// A writer into memory, limited to `JSON_LIMIT` bytes.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        if self.0.len() + bytes.len() > JSON_LIMIT {
            return Err(Error::other(TOO_LARGE));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
