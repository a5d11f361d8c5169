/** The id of each response, in `X-Request-Id`. An id from the client is ignored, as it would get into the log. */
import { randomInt } from 'node:crypto'

/** Eight random characters, different for each node and start. */
const PROCESS = randomInt(36 ** 7, 36 ** 8).toString(36)
let count = 0

/** Such as `k3f09zq1-4f`. A random text per request would cost far more. */
export function nextRequestId(): string {
  count += 1
  return `${PROCESS}-${count.toString(36)}`
}
