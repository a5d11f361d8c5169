/** Servers in the bin. */
import { expect } from 'vitest'
import * as bin from '#contract/servers/deleted-servers.ts'
import * as servers from '#contract/servers/servers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { buildServer } from './factories.ts'
import type { SignedInUser, TestApp } from './harness.ts'

export async function remove(owner: SignedInUser, id: string): Promise<void> {
  expect((await owner.call(servers.remove, { params: { id } })).status).toBe(204)
}

export const restore = (owner: SignedInUser, id: string) => owner.call(bin.restore, { params: { id } })

export const binOf = async (owner: SignedInUser) => (await owner.call(bin.list)).data

/** How many servers the owner may have. */
export const setLimit = (administrator: SignedInUser, owner: SignedInUser, max: number) =>
  administrator.call(changeLimits, { params: { id: owner.id }, body: { max_masterlist_tokens: max } })

export async function deletedServer(app: TestApp, body: Partial<Parameters<typeof buildServer>[1]> = {}) {
  const owner = await app.newUser()
  const server = await buildServer(owner, body)
  await remove(owner, server.public_id)
  return { owner, server, id: server.public_id }
}
