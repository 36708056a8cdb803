//! Tracers: the opcode logger, the access list of `eth_createAccessList`, geth's named tracers, and several of them at
//! once.

use crate::{trace::{erc7562::Erc7562Tracer, preimages::Preimages, struct_log::StructLogger}, vm::context::Ctx};
use alloy_rpc_types_trace::geth::{GethDebugTracerConfig, GethDebugTracerType, GethDebugTracingOptions};
use revm::{
    Inspector,
    interpreter::{CallInputs, CreateInputs, Interpreter},
};
use revm_inspectors::{access_list::AccessListInspector, tracing::DebugInspector};
use serde_json::{Value, json};

/// The port's name for `AccessList`. geth has no tracer of that name.
const ACCESS_LIST: &str = "accessListTracer";

/// A tracer and its record.
pub enum Tracer {
    StructLogs(StructLogger),
    AccessList(AccessListInspector),
    Preimages(Preimages),
    /// The tracer, and the call tracer whose frames it completes.
    Erc7562(Box<Erc7562Tracer>, DebugInspector),
    /// The prestate tracer with empty accounts. The flag includes their slots.
    PrestateOfAll(DebugInspector, bool),
    /// A tracer of revm.
    Named(DebugInspector),
    /// The flat call tracer with the gas of the execution, as in OpenEthereum. geth has that of the transaction.
    FlatOfExecution(DebugInspector),
    /// Several tracers by their names.
    Mux(Vec<(String, Tracer)>),
}

impl Tracer {
    /// Makes a tracer from the JSON of geth's `TraceConfig`. The error is text for the client.
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
                let frames = of_revm("callTracer", &json!({ "withLog": is_set("withLog") }))?;
                Ok(Self::Erc7562(Box::new(Erc7562Tracer::from_config(config)?), frames))
            }
            "muxTracer" => match config {
                Value::Null => Ok(Self::Mux(Vec::new())),
                Value::Object(tracers) => {
                    let within = tracers.iter().map(|(name, config)| Ok((name.clone(), Self::by_name(name, config)?)));
                    Ok(Self::Mux(within.collect::<Result<_, String>>()?))
                }
                _ => Err("invalid configuration of muxTracer: not an object".to_string()),
            },
            "prestateTracer" if is_set("includeEmpty") && is_set("diffMode") => Err("cannot use diffMode with includeEmpty".to_string()),
            "prestateTracer" if is_set("includeEmpty") => of_revm(name, config).map(|inspector| Self::PrestateOfAll(inspector, !is_set("disableStorage"))),
            "flatCallTracer" if is_set("executionGas") => of_revm(name, config).map(Self::FlatOfExecution),
            _ => of_revm(name, config).map(Self::Named),
        }
    }

    /// Records the state before an instruction.
    pub fn step(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        match self {
            Self::StructLogs(logger) => logger.step(interpreter, ctx),
            Self::AccessList(inspector) => inspector.step(interpreter, ctx),
            Self::Preimages(preimages) => preimages.step(interpreter),
            Self::Erc7562(tracer, _) => tracer.step(interpreter, ctx),
            Self::PrestateOfAll(..) => {}
            Self::Named(inspector) | Self::FlatOfExecution(inspector) => inspector.step(interpreter, ctx),
            Self::Mux(within) => within.iter_mut().for_each(|(_, tracer)| tracer.step(interpreter, ctx)),
        }
    }

    /// Records the state after an instruction.
    pub fn step_end(&mut self, interpreter: &mut Interpreter, ctx: &mut Ctx) {
        match self {
            Self::StructLogs(logger) => logger.step_end(interpreter),
            _ => self.each_of_revm(&mut |inspector| inspector.step_end(interpreter, ctx)),
        }
    }

    /// Records the start of a call. No tracer answers it in place of the machine.
    pub fn call(&mut self, ctx: &mut Ctx, inputs: &mut CallInputs) {
        match self {
            Self::AccessList(inspector) => drop(inspector.call(ctx, inputs)),
            Self::Mux(within) => within.iter_mut().for_each(|(_, tracer)| tracer.call(ctx, inputs)),
            Self::Erc7562(tracer, frames) => {
                tracer.enter();
                frames.call(ctx, inputs);
            }
            _ => self.each_of_revm(&mut |inspector| drop(inspector.call(ctx, inputs))),
        }
    }

    /// Records the start of a creation.
    pub fn create(&mut self, ctx: &mut Ctx, inputs: &mut CreateInputs) {
        match self {
            Self::AccessList(inspector) => drop(inspector.create(ctx, inputs)),
            Self::Mux(within) => within.iter_mut().for_each(|(_, tracer)| tracer.create(ctx, inputs)),
            Self::Erc7562(tracer, frames) => {
                tracer.enter();
                frames.create(ctx, inputs);
            }
            _ => self.each_of_revm(&mut |inspector| drop(inspector.create(ctx, inputs))),
        }
    }

    /// Records the end of a call or a creation.
    pub fn leave(&mut self) {
        match self {
            Self::Erc7562(tracer, _) => tracer.leave(),
            Self::Mux(within) => within.iter_mut().for_each(|(_, tracer)| tracer.leave()),
            _ => {}
        }
    }

    /// Passes an event to each tracer of revm.
    pub fn each_of_revm(&mut self, event: &mut dyn FnMut(&mut DebugInspector)) {
        match self {
            Self::Named(inspector) | Self::FlatOfExecution(inspector) => event(inspector),
            Self::PrestateOfAll(inspector, _) | Self::Erc7562(_, inspector) => event(inspector),
            Self::Mux(within) => within.iter_mut().for_each(|(_, tracer)| tracer.each_of_revm(event)),
            Self::StructLogs(_) | Self::AccessList(_) | Self::Preimages(_) => {}
        }
    }
}

/// Makes a tracer of revm.
fn of_revm(name: &str, config: &Value) -> Result<DebugInspector, String> {
    let tracer = serde_json::from_value(json!(name)).map_err(|error| error.to_string())?;
    let options = GethDebugTracingOptions { tracer: Some(tracer), tracer_config: GethDebugTracerConfig(config.clone()), ..Default::default() };
    DebugInspector::new(options).map_err(|error| error.to_string())
}
