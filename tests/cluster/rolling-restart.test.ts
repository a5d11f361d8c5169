/** Two real programs behind a load balancer, restarted one after the other under load. */
import { beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.ts'
import { registerServers } from './fleet.ts'
import { type LoadBalancer, roundRobin } from './load-balancer.ts'
import { restartAllUnderLoad } from './rolling-restart.ts'
import { SIZE } from './size.ts'

let cluster: Cluster
let loadBalancer: LoadBalancer

beforeAll(async () => {
  cluster = await startCluster(2, { DRAIN_SECONDS: '1' })
  loadBalancer = await roundRobin(cluster.nodes)
}, 300_000)

test('a rolling restart fails no request and loses no acknowledged announce and no change on the stream', async () => {
  expect(await restartAllUnderLoad(cluster, loadBalancer, await registerServers(cluster.db, SIZE.servers))).toEqual([])
}, 300_000)
