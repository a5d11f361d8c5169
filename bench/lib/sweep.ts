/** Comes into a program before its own code (`--import`, with `--expose-gc`): at SIGUSR2 the engine sweeps up all that it can. */
const sweep = globalThis.gc

process.on('SIGUSR2', () => {
  // What the first time finds to be nobody's any more, but waits for its own end, the second gives back.
  for (let times = 0; times < 2; times += 1) sweep?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
})
