/** Accounts whose owners ask for their deletion. */
import { expect } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as activity from '#contract/events/activity.ts'
import * as users from '#contract/users/users.ts'
import type { TestApp, TestUser } from './harness.ts'

/** A little over a second: long enough to act within it, short enough to wait for. */
export const SOON = { ACCOUNT_DELETION_DELAY_HOURS: '0.0003' }

export const requestDeletion = (user: TestUser) => user.call(account.requestDeletion)
export const me = (user: TestUser) => user.call(users.me)
export const actionsOf = async (user: TestUser) => (await user.call(activity.ofAccount)).data.map((entry) => entry.action)

async function isErased(where: TestApp, userId: string): Promise<boolean> {
  return (await where.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) === undefined
}

export async function expectErased(where: TestApp, userId: string): Promise<void> {
  await expect.poll(() => isErased(where, userId), { interval: 50 }).toBe(true)
}

/** Makes the deletion due. */
export async function makeDue(where: TestApp, ...userIds: string[]): Promise<void> {
  await where.db
    .updateTable('users')
    .set({ delete_at: new Date(Date.now() - 1000) })
    .where('id', 'in', userIds)
    .execute()
}
