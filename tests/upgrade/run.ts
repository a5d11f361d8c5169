/**
 * `npm run test:upgrade -- COMMIT`: two nodes of an earlier commit with data, behind the deployed Caddy and under load, become two nodes of this
 * checkout. Prints rows of docs/benchmarks.md ("Upgrades"). It installs and builds the commit first, which takes minutes, so CI does not run it. It
 * needs Caddy.
 */
import { exitWithTotal, runVitest } from '#tests/run/test-run.ts'

const [commit] = process.argv.slice(2)
if (commit === undefined) throw new Error('Name the commit to upgrade from: npm run test:upgrade -- 40a4806f')
exitWithTotal([await runVitest(['--project', 'upgrade'], { ...process.env, MUSTER_UPGRADE_FROM: commit })])
