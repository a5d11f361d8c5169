/**
 * `npm run test:cluster`: the tests of many nodes as large as what is promised (a fleet of 300, cut off for 30 s, offline after 75 s), with
 * the two seconds asserted within which lists are alike, and the proxy of compose.yaml, which needs Caddy. `npm test` runs the same at a
 * small size, with more time. `npm run test:cluster -- outage` runs one file of them, and vitest's options may follow.
 */
import { spawnSync } from 'node:child_process'

const env = {
  MUSTER_CLUSTER_SERVERS: '300',
  MUSTER_CLUSTER_TTL_SECONDS: '75',
  MUSTER_CLUSTER_AWAY_SECONDS: '30',
  MUSTER_CLUSTER_EVERY_MS: '10000',
  MUSTER_CLUSTER_WITHIN_MS: '2000',
  MUSTER_CLUSTER_PROXY: 'needed',
  ...process.env,
}
const given = process.argv.slice(2)
const files = given.filter((text) => !text.startsWith('-')).map((name) => `tests/cluster/${name}`)
const options = given.filter((text) => text.startsWith('-'))
const { status } = spawnSync('vitest', ['run', ...(files.length > 0 ? files : ['tests/cluster/']), ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)
