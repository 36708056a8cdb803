/** Runs the module code in its first argument, and keeps running. */
setInterval(() => undefined, 60_000);
await import(`data:text/javascript,${encodeURIComponent(process.argv[2])}`);
