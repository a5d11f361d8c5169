/** Preloaded into a program (`--import`, with `--expose-gc`): SIGUSR2 runs a full garbage collection. */
const gc = globalThis.gc

process.on('SIGUSR2', () => {
  // The second pass frees objects whose finalizers ran in the first.
  for (let times = 0; times < 2; times += 1) gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
})
