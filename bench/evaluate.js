/** Runs the module code given as first argument, and stays. */
setInterval(() => undefined, 60_000);
await import(`data:text/javascript,${encodeURIComponent(process.argv[2])}`);
