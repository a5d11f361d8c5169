/** Preloaded into a program (`--import`): SIGUSR2 runs a full garbage collection. */
import { forceGc } from '#tests/force-gc.ts'

process.on('SIGUSR2', () => {
  forceGc()
  // The second pass frees objects whose finalizers ran in the first.
  forceGc()
})
