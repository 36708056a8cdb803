//! Recorders of a trace: the opcode logger, the access list of `eth_createAccessList`, or one of revm's named tracers.

use crate::{execute::Executed, struct_log::StructLogger, traced_fault, vm::Vm, wire::JSON_LIMIT};
use alloy_rpc_types_trace::{
    geth::{GethDebugTracerType, GethDebugTracingOptions, GethTrace},
    parity::{LocalizedTransactionTrace, TraceOutput},
};
use revm::{context::TxEnv, primitives::hex};
use revm_inspectors::{access_list::AccessListInspector, tracing::DebugInspector};
use std::io::{Error, Write};

/// The name by which the port asks for `AccessList`; geth has no tracer of that name.
const ACCESS_LIST: &str = "accessListTracer";
pub const TOO_LARGE: &str = "trace too large";

pub enum Tracer {
    StructLogs(StructLogger),
    AccessList(AccessListInspector),
    Named(DebugInspector),
}

impl Tracer {
    /// From geth's `TraceConfig` as JSON text. The error is in words for the client.
    pub fn from_options(options: &[u8]) -> Result<Self, String> {
        let options: GethDebugTracingOptions = serde_json::from_slice(options).map_err(|error| error.to_string())?;
        match options.tracer.as_ref().map(GethDebugTracerType::as_str) {
            None | Some("") => Ok(Self::StructLogs(StructLogger::new(options.config))),
            Some(ACCESS_LIST) => Ok(Self::AccessList(AccessListInspector::default())),
            Some(_) => DebugInspector::new(options).map(Self::Named).map_err(|error| error.to_string()),
        }
    }

    /// JSON of what was recorded, or why there is none.
    pub fn finish(self, vm: &mut Vm, transaction: &TxEnv, executed: &Executed) -> Result<Vec<u8>, String> {
        match self {
            Self::StructLogs(logger) => Ok(logger.finish(&executed.outcome.result)),
            Self::AccessList(inspector) => Ok(write_access_list(inspector)),
            Self::Named(mut inspector) => {
                // geth clears the logs of a failed transaction
                if let (DebugInspector::CallTracer(_, config), false) = (&mut inspector, executed.outcome.result.is_success()) {
                    config.with_log = Some(false);
                }
                let block = vm.ctx.block.clone();
                let database = &mut vm.ctx.journaled_state.database;
                let mut trace = inspector.get_result(None, transaction, &block, &executed.outcome, database).map_err(|error| error.to_string())?;
                if let GethTrace::FlatCallTracer(traces) = &mut trace {
                    use_whole_gas(traces, executed.outcome.result.tx_gas_used());
                }
                match &mut trace {
                    GethTrace::CallTracer(frame) => traced_fault::name(frame),
                    GethTrace::MuxTracer(traces) => traces.0.values_mut().for_each(|trace| {
                        if let GethTrace::CallTracer(frame) = trace {
                            traced_fault::name(frame);
                        }
                    }),
                    _ => {}
                }
                let mut out = Bounded(Vec::new());
                serde_json::to_writer(&mut out, &trace).map_err(|_| TOO_LARGE.to_string())?;
                Ok(out.0)
            }
        }
    }
}

/// The first call has the gas of the whole transaction, as its gas limit is the transaction's (geth).
fn use_whole_gas(traces: &mut [LocalizedTransactionTrace], gas: u64) {
    match traces.first_mut().and_then(|first| first.trace.result.as_mut()) {
        Some(TraceOutput::Call(output)) => output.gas_used = gas,
        Some(TraceOutput::Create(output)) => output.gas_used = gas,
        None => {}
    }
}

fn write_access_list(inspector: AccessListInspector) -> Vec<u8> {
    let items = inspector.into_access_list().0.into_iter().map(|item| {
        let keys: Vec<_> = item.storage_keys.iter().map(hex::encode_prefixed).collect();
        serde_json::json!({ "address": hex::encode_prefixed(item.address), "storageKeys": keys })
    });
    serde_json::Value::from_iter(items).to_string().into_bytes()
}

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
