/** Links that sign a locked-out user in, made by the command line. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as auth from '#contract/users/auth.ts'
import * as identities from '#contract/users/identities.ts'
import * as users from '#contract/users/users.ts'
import { startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import type { FakeOidc } from '#tests/fakes/fake-oidc.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Member,
  complete,
  linkOidc,
  signInByOidc,
  signInCookieOf,
  signInLocally,
  signedIn,
  startWithProviders,
} from '#tests/oidc-sign-in.ts'
import { runCommand } from '#tests/program.ts'
import { createRecoveryLink } from './recovery.ts'

let app: TestApp
let main: FakeOidc
let spare: FakeOidc
let user: Member

beforeAll(async () => {
  ;({ app, main, spare } = await startWithProviders())
  user = await signInLocally(app, 'locked_out')
})

afterAll(async () => {
  await main.close()
  await spare.close()
})

const tokenFor = async (id: string) => (await createRecoveryLink(app.db, id)).token

const recover = (token: unknown) =>
  app.anonymous.fetch('/api/auth/recovery', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })

const sentenceOf = async (reply: Response) => ((await reply.json()) as { errors: string[] }).errors[0]
const INVALID = 'This link expired, was used, or was replaced by a newer one. Ask an administrator for a new link.'

const actionsOf = async ({ id }: Member) => {
  const rows = app.db.selectFrom('activity').select(['action', 'role']).where('owner_id', '=', id).where('action', 'like', 'RECOVERY%')
  return (await rows.orderBy('id').execute()).map(({ action, role }) => `${action} ${role}`)
}

test('the command prints a link that signs the user in once, and nothing stores or logs its token', async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  const variables = {
    DATABASE_URL: `postgres://postgres@localhost/${rows[0]?.name}?host=${encodeURIComponent(inject('socketFolder'))}`,
    PUBLIC_URL: 'http://panel.example',
  }
  const { discord } = (await user.call(users.me)).data
  const byDiscordId = await runCommand(['users', 'recover', discord.discord_id], variables)
  const byId = await runCommand(['users', 'recover', user.id], variables)
  const [former = '', token = ''] = [byDiscordId, byId].map(
    ({ output }) => /^http:\/\/panel\.example\/login\/recovery#([\w-]{43})$/m.exec(output)?.[1],
  )
  expect([former.length, token.length]).toEqual([43, 43])
  // A new link replaces the former.
  expect((await recover(former)).status).toBe(400)
  const stored = await app.db.selectFrom('recovery_links').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(token)
  const member = await signedIn(app, await recover(token))
  expect(member.id).toBe(user.id)
  const again = await recover(token)
  expect([again.status, await sentenceOf(again), again.headers.getSetCookie()]).toEqual([400, INVALID, []])
  expect(await actionsOf(user)).toEqual(['RECOVERY_LINK_CREATED system', 'RECOVERY_LINK_CREATED system', 'RECOVERY_LINK_USED self'])
  expect(app.allLogs()).not.toContain(token)
  const unknown = await runCommand(['users', 'recover', 'nobody'], variables)
  expect([unknown.code, unknown.output.trim()]).toEqual([1, 'There is no such user.'])
  const usage = await runCommand(['users', 'rescue'], variables)
  expect([usage.code, usage.output.trim()]).toEqual([1, 'Usage: npm run muster -- users recover ID'])
})

test('ten concurrent uses sign in once', async () => {
  const token = await tokenFor(user.id)
  const replies = await Promise.all(Array.from({ length: 10 }, () => recover(token)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 400)])
})

test('an expired link is rejected, and the job deletes it', async () => {
  const token = await tokenFor(user.id)
  const [link] = (await sql<{ valid: string }>`select (expires_at - created_at)::text as valid from recovery_links`.execute(app.db)).rows
  expect(link?.valid).toBe('01:00:00')
  await app.db
    .updateTable('recovery_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  const rejected = await recover(token)
  expect([rejected.status, await sentenceOf(rejected)]).toEqual([400, INVALID])
  await app.runJob('delete-expired-sign-ins')
  expect(await app.db.selectFrom('recovery_links').selectAll().execute()).toEqual([])
})

test.each(['', 'x', 'a'.repeat(43), 'a'.repeat(513), '\0', 1, null])('the foreign token %j is rejected', async (token) => {
  await tokenFor(user.id)
  const rejected = await recover(token)
  expect(rejected.status).toBe(400)
  expect(rejected.headers.getSetCookie()).toEqual([])
})

test('opening the address of the page uses nothing up', async () => {
  const token = await tokenFor(user.id)
  await app.anonymous.fetch('/login/recovery')
  await app.anonymous.fetch(`/login/recovery?token=${token}`)
  expect((await app.anonymous.fetch('/api/auth/recovery')).status).toBe(404)
  expect((await recover(token)).status).toBe(204)
})

test('an account whose Discord is gone signs in by its other provider and by the link, and nobody else does', async () => {
  const discord = await startFakeDiscord()
  const variables = { DISCORD_CLIENT_ID: '1', DISCORD_CLIENT_SECRET: 's', DISCORD_API_URL: discord.url }
  const { app: other, ...providers } = await startWithProviders(variables)
  const byDiscord = async () => {
    const begun = await other.anonymous.call(auth.authorizeUrl)
    const query = new URLSearchParams({ code: 'x', state: new URL(begun.text).searchParams.get('state') ?? '' })
    return complete(other, { id: 'discord', cookie: signInCookieOf(begun.headers), query })
  }
  const owner = await signedIn(other, await byDiscord())
  await linkOidc(other, owner, 'main', providers.main, { sub: 'owner', preferred_username: 'nelly' })
  discord.reply = 500
  expect((await byDiscord()).status).toBe(502)
  other.takeLogs()
  expect((await signInByOidc(other, 'main', providers.main, { sub: 'owner' })).id).toBe(owner.id)
  const { token } = await createRecoveryLink(other.db, owner.id)
  const recovered = await other.anonymous.call(auth.recover, { body: { token } })
  expect(recovered.status).toBe(204)

  // With its name, its subject elsewhere, a similar subject, and with another account at Discord, which is back.
  discord.reply = 'ok'
  discord.user = { id: '99', username: 'nelly', avatar: null }
  const strangers = [
    await signInByOidc(other, 'spare', providers.spare, { sub: 'owner', preferred_username: 'nelly' }),
    await signInByOidc(other, 'main', providers.main, { sub: 'Owner', preferred_username: 'nelly' }),
    await signedIn(other, await byDiscord()),
  ]
  const ids = (await owner.call(identities.list)).data.map(({ id }) => id)
  expect(ids).toEqual(['80351110224678912', expect.stringMatching(/^oidc:/)])
  for (const stranger of strangers) {
    expect(stranger.id).not.toBe(owner.id)
    for (const id of ids) expect((await stranger.call(identities.unlink, { params: { id } })).status).toBe(404)
  }
  for (const wrong of [token, owner.id, ...ids])
    expect((await other.anonymous.call(auth.recover, { body: { token: wrong } })).status).toBe(400)
  await Promise.all([discord.close(), providers.main.close(), providers.spare.close()])
})
