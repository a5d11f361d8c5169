/**
 * Frees memory after startup: loading code and rows leaves garbage, which the engine would keep. That is 20 MB without servers, and several
 * times the size of the rows with tens of thousands. Blocks the process for up to half a second, so call it before the first request.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

export function forceGc(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
