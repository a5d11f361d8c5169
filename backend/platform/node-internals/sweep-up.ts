/**
 * Gives back the memory that a large start took: reading tens of thousands of rows leaves several times what stays of them, which the engine
 * sweeps up only once as much is needed again, and keeps even then. Stops everything for up to half a second, so it is for the time before
 * anybody calls.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

export function sweepUp(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
