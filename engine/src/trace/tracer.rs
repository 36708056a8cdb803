//! Tracers: the opcode logger, the access list of `eth_createAccessList`, geth's named tracers, and `muxTracer`,
//! which runs several at once.

use crate::{trace::{erc7562::Erc7562Tracer, preimages::Preimages, struct_log::StructLogger}, vm::context::Ctx};
use alloy_rpc_types_trace::geth::{GethDebugTracerConfig, GethDebugTracerType, GethDebugTracingOptions};
use revm::{
    Inspector,
    interpreter::{CallInputs, CreateInputs, Interpreter},
};
use revm_inspectors::{access_list::AccessListInspector, tracing::DebugInspector};
use serde_json::{Value, json};

/// Name of `AccessList` at the port. geth has no tracer of this name.
const ACCESS_LIST: &str = "accessListTracer";

/// A tracer with its data.
pub enum Tracer {
    StructLogs(StructLogger),
    AccessList(AccessListInspector),
    Preimages(Preimages),
    /// The tracer, and the call tracer that provides its frames.
    Erc7562(Box<Erc7562Tracer>, DebugInspector),
    /// revm's prestate tracer with `includeEmpty`. The flag includes the slots of empty accounts.
    PrestateWithEmpty(DebugInspector, bool),
    /// Any other tracer of revm-inspectors.
    Revm(DebugInspector),
    /// revm's flat call tracer with the first frame's gas without intrinsic gas, as in OpenEthereum. geth includes
    /// it.
    FlatWithExecutionGas(DebugInspector),
    /// Several tracers by name.
    Mux(Vec<(String, Tracer)>),
}

impl Tracer {
    /// Creates a tracer from the JSON of geth's `TraceConfig`. The error is text for the client.
    pub fn from_options(options: &[u8]) -> Result<Self, String> {
        let options: GethDebugTracingOptions = serde_json::from_slice(options).map_err(|error| error.to_string())?;
        match options.tracer.as_ref().map(GethDebugTracerType::as_str) {
            None | Some("") => Ok(Self::StructLogs(StructLogger::new(options.config))),
            Some(ACCESS_LIST) => Ok(Self::AccessList(AccessListInspector::default())),
            Some(name) => Self::by_name(name, &options.tracer_config.0),
        }
    }

    fn by_name(name: &str, config: &Value) -> Result<Self, String> {
        let is_set = |member: &str| config.get(member) == Some(&Value::Bool(true));
        match name {
            "keccak256PreimageTracer" => Ok(Self::Preimages(Preimages::default())),
            "erc7562Tracer" => {
                let frames = revm_tracer("callTracer", &json!({ "withLog": is_set("withLog") }))?;
                Ok(Self::Erc7562(Box::new(Erc7562Tracer::from_config(config)?), frames))
            }
            "muxTracer" => match config {
                Value::Null => Ok(Self::Mux(Vec::new())),
                Value::Object(tracers) => {
                    let tracers = tracers.iter().map(|(name, config)| Ok((name.clone(), Self::by_name(name, config)?)));
                    Ok(Self::Mux(tracers.collect::<Result<_, String>>()?))
                }
                _ => Err("invalid configuration of muxTracer: not an object".to_string()),
            },
            "prestateTracer" if is_set("includeEmpty") && is_set("diffMode") => Err("cannot use diffMode with includeEmpty".to_string()),
            "prestateTracer" if is_set("includeEmpty") => revm_tracer(name, config).map(|inspector| Self::PrestateWithEmpty(inspector, !is_set("disableStorage"))),
            "flatCallTracer" if is_set("executionGas") => revm_tracer(name, config).map(Self::FlatWithExecutionGas),
            _ => revm_tracer(name, config).map(Self::Revm),
        }
    }

    /// Records the state before an instruction.
    pub fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        match self {
            Self::StructLogs(logger) => logger.step(interpreter, ctx),
            Self::AccessList(inspector) => inspector.step(interpreter, ctx),
            Self::Preimages(preimages) => preimages.step(interpreter),
            Self::Erc7562(tracer, _) => tracer.step(interpreter, ctx),
            Self::PrestateWithEmpty(..) => {}
            Self::Revm(inspector) | Self::FlatWithExecutionGas(inspector) => inspector.step(interpreter, ctx),
            Self::Mux(tracers) => tracers.iter_mut().for_each(|(_, tracer)| tracer.step(interpreter, ctx)),
        }
    }

    /// Records the state after an instruction.
    pub fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        match self {
            Self::StructLogs(logger) => logger.step_end(interpreter),
            _ => self.for_each_inspector(&mut |inspector| inspector.step_end(interpreter, ctx)),
        }
    }

    /// Records the start of a call. No tracer overrides its outcome.
    pub fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) {
        match self {
            Self::AccessList(inspector) => drop(inspector.call(ctx, inputs)),
            Self::Mux(tracers) => tracers.iter_mut().for_each(|(_, tracer)| tracer.call(ctx, inputs)),
            Self::Erc7562(tracer, frames) => {
                tracer.enter();
                frames.call(ctx, inputs);
            }
            _ => self.for_each_inspector(&mut |inspector| drop(inspector.call(ctx, inputs))),
        }
    }

    /// Records the start of a contract creation.
    pub fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) {
        match self {
            Self::AccessList(inspector) => drop(inspector.create(ctx, inputs)),
            Self::Mux(tracers) => tracers.iter_mut().for_each(|(_, tracer)| tracer.create(ctx, inputs)),
            Self::Erc7562(tracer, frames) => {
                tracer.enter();
                frames.create(ctx, inputs);
            }
            _ => self.for_each_inspector(&mut |inspector| drop(inspector.create(ctx, inputs))),
        }
    }

    /// Records the end of a call or a contract creation.
    pub fn leave(&mut self) {
        match self {
            Self::Erc7562(tracer, _) => tracer.leave(),
            Self::Mux(tracers) => tracers.iter_mut().for_each(|(_, tracer)| tracer.leave()),
            _ => {}
        }
    }

    /// Passes an event to each inspector of revm.
    pub fn for_each_inspector(&mut self, event: &mut dyn FnMut(&mut DebugInspector)) {
        match self {
            Self::Revm(inspector) | Self::FlatWithExecutionGas(inspector) => event(inspector),
            Self::PrestateWithEmpty(inspector, _) | Self::Erc7562(_, inspector) => event(inspector),
            Self::Mux(tracers) => tracers.iter_mut().for_each(|(_, tracer)| tracer.for_each_inspector(event)),
            Self::StructLogs(_) | Self::AccessList(_) | Self::Preimages(_) => {}
        }
    }
}

/// Creates a tracer of revm-inspectors.
fn revm_tracer(name: &str, config: &Value) -> Result<DebugInspector, String> {
    let tracer = serde_json::from_value(json!(name)).map_err(|error| error.to_string())?;
    let options = GethDebugTracingOptions { tracer: Some(tracer), tracer_config: GethDebugTracerConfig(config.clone()), ..Default::default() };
    DebugInspector::new(options).map_err(|error| error.to_string())
}
