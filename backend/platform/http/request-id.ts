/** One id for each answer, in `X-Request-Id`. A client's own one is ignored: it would get into the log. */
import { randomInt } from 'node:crypto'

/** Tells nodes and restarts apart: eight random characters. */
const PROCESS = randomInt(36 ** 7, 36 ** 8).toString(36)
let count = 0

/** Such as `k3f09zq1-4f`. A random text for each would cost far more. */
export function nextRequestId(): string {
  count += 1
  return `${PROCESS}-${count.toString(36)}`
}
