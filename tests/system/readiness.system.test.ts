/** Readiness without the other nodes. See also graceful-shutdown.system.test.ts and database-outage.system.test.ts. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { me } from '#contract/users/users.ts'
import { startApp } from '#tests/harness.ts'

test('a node disconnected from the others for some seconds is not ready, although its database answers', async () => {
  const app = await startApp({}, { isShared: true })
  const user = await app.newUser()
  const readiness = async () => {
    const response = await fetch(`${app.listUrl}/readyz`)
    return [response.status, await response.text()]
  }
  await app.db.transaction().execute(async (trx) => {
    // Nodes write their heartbeats to it.
    await sql`lock table nodes in access exclusive mode`.execute(trx)
    await expect.poll(readiness).toEqual([503, 'disconnected from the other nodes\n'])
    expect((await user.call(me)).status).toBe(200)
  })
  await expect.poll(readiness).toEqual([200, 'ready\n'])
  app.takeLogs()
})
