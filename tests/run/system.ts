/**
 * `npm run test:system`: kills, outages, several nodes, races, random sequences and long runs at a small size. `npm run test:system -- races`
 * runs only files whose path contains `races`. `--full` is full size, for an idle machine. The variables of `FULL` set single sizes.
 */
import { exitWithTotal, runVitest } from './test-run.ts'

const FULL = {
  MUSTER_FULL: 'on',
  MUSTER_RACE_ROUNDS: '200',
  MUSTER_RACE_WIDTH: '20',
  MUSTER_MODEL_RUNS: '5000',
  MUSTER_HONEST_SERVERS: '2000',
  MUSTER_CLUSTER_SERVERS: '300',
  MUSTER_CLUSTER_TTL_SECONDS: '75',
  MUSTER_CLUSTER_AWAY_SECONDS: '30',
  MUSTER_CLUSTER_EVERY_MS: '10000',
  MUSTER_CLUSTER_WITHIN_MS: '2000',
  MUSTER_CLUSTER_PROXY: 'required',
  MUSTER_CLUSTER_WEBHOOKS: '300',
  MUSTER_CLUSTER_EVENTS: '100000',
  MUSTER_CLUSTER_KILLS: '5',
  MUSTER_DRILL_KILLS: '100',
  MUSTER_DRILL_MS: '10000',
  MUSTER_DRILL_UPLOADS: '1000',
  MUSTER_DRILL_CLIENTS: '500',
  MUSTER_KILL_ROUNDS: '20',
  MUSTER_FLEET_SERVERS: '10000',
  MUSTER_FLEET_SECONDS: '600',
  MUSTER_FLEET_TTL_SECONDS: '75',
}

const filters = process.argv.slice(2).filter((arg) => arg !== '--full')
const env = process.argv.includes('--full') ? { ...FULL, ...process.env } : process.env
exitWithTotal([await runVitest(['--project', 'system', ...filters], env)])
