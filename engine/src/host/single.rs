//! A static for one thread: WebAssembly without threads has only one.

use core::cell::UnsafeCell;

/// A value that one thread uses.
pub struct Single<T>(UnsafeCell<T>);

// SAFETY: the module is built without threads, so values are never shared between two.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Lends the value. The closure must not use the same static again. The host may call some exports from inside an
    /// import (`buffers`, `journal`, `nested_call`); they use no static that is lent while an import runs.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: there is one thread, and no nested use of the same static (above).
        use_it(unsafe { &mut *self.0.get() })
    }
}
