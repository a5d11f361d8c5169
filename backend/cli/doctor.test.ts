/** `muster doctor` as a command, against a running installation behind a proxy. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestListener, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, afterAll, expect, inject, test } from 'vitest'
import { type FakeDiscord, startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import { startFakeOidc } from '#tests/fakes/fake-oidc.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { freePort, runCommand } from '#tests/program.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const TRUSTED = '127.0.0.2'
const UNTRUSTED = '127.0.0.3'
const DAY_MS = 86_400_000
const SECRET = 'the-secret-of-the-application'

const backups = mkdtempSync(join(tmpdir(), 'muster-doctor-'))
const backupOf = (at: number) => `muster-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst`

let app: TestApp
let discord: FakeDiscord
/** Variables of the installation. The command gets the same. */
let variables: Record<string, string>
const closing: (() => void)[] = []

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** @param from the proxy's own address. @param forwardedFor what it sends for a caller's address and header. */
function proxyTo(target: () => string, from: string, forwardedFor: (caller: string, header: string | undefined) => string) {
  return listen((incoming, outgoing) => {
    // The program of this test has no pages.
    if (/^\/login\/\w+\/callback$/.test(incoming.url ?? ''))
      return outgoing.setHeader('content-type', 'text/html; charset=utf-8').end('<html>')
    const header = incoming.headers['x-forwarded-for']?.toString()
    const forwarded = request(`${target()}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      localAddress: from,
      headers: {
        ...incoming.headers,
        'x-forwarded-for': forwardedFor(incoming.socket.remoteAddress ?? '', header),
        'x-forwarded-proto': 'http',
      },
    })
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.end()
    return outgoing
  })
}

const replace = (caller: string) => caller
const pass = (caller: string, header: string | undefined) => header ?? caller

beforeAll(async () => {
  discord = await startFakeDiscord()
  discord.reply = 400
  const installation = {
    DISCORD_CLIENT_ID: 'client',
    DISCORD_CLIENT_SECRET: SECRET,
    DISCORD_API_URL: discord.url,
    WEBHOOKS_PRIVATE: 'on',
    TRUSTED_PROXIES: TRUSTED,
    PUBLIC_URL: await proxyTo(() => app.panelUrl, TRUSTED, replace),
    MASTERLIST_PUBLIC_URL: await proxyTo(() => app.listUrl, TRUSTED, replace),
  }
  app = await startApp(installation)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  writeFileSync(join(backups, backupOf(Date.now() - 7_200_000)), '')
  variables = {
    ...installation,
    BACKUP_DIR: backups,
    DATABASE_URL: `postgres://postgres@localhost/${rows[0]?.name}?host=${encodeURIComponent(inject('socketFolder'))}`,
    HOST: '127.0.0.1',
    PORT: new URL(app.panelUrl).port,
    MASTERLIST_PORT: new URL(app.listUrl).port,
    DATA_DIR: app.env.DATA_DIR,
  }
})

afterAll(async () => {
  for (const close of closing) close()
  rmSync(backups, { recursive: true })
  await discord.close()
})

async function diagnose(changes: Record<string, string> = {}) {
  const { code, output } = await runCommand(['doctor', '--json'], { ...variables, ...changes })
  expect(output).not.toContain(SECRET)
  const { checks } = JSON.parse(output) as { checks: { id: string; status: string; message: string; remedy: string }[] }
  return { code, checks: new Map(checks.map((check) => [check.id, check])) }
}

test('a complete installation passes every check', async () => {
  const { code, checks } = await diagnose()
  expect([...checks.values()].filter(({ status }) => status !== 'ok')).toEqual([])
  expect([...checks.keys()]).toEqual(
    'configuration database migrations nodes database-clock disk backup signing-key program panel-address list-address panel-proxy list-proxy public-clock sign-in redirect-uri egress'.split(
      ' ',
    ),
  )
  expect(checks.get('panel-proxy')?.message).toBe('Requests come through a trusted proxy; this machine is 127.0.0.1.')
  expect(checks.get('backup')?.message).toMatch(/^The newest verified backup, muster-\d{8}T\d{6}Z\.tar\.zst, is 2 h old\.$/)
  expect(code).toBe(0)
})

test('a missing or old backup is a warning that says what to do', async () => {
  const none = await diagnose({ BACKUP_DIR: join(backups, 'none') })
  expect(none.checks.get('backup')).toMatchObject({ status: 'warning', message: `There is no backup in ${join(backups, 'none')} yet.` })
  for (const name of readdirSync(backups)) rmSync(join(backups, name))
  writeFileSync(join(backups, backupOf(Date.now() - 30 * 3_600_000)), '')
  const old = await diagnose()
  expect(old.checks.get('backup')).toMatchObject({
    status: 'warning',
    remedy: 'Look for "back-up" in the log, which says why newer ones failed.',
  })
  expect(old.code).toBe(0)
})

test('every failure is found within seconds, with what to do', async () => {
  discord.reply = 401
  const began = performance.now()
  const { code, checks } = await diagnose({
    PUBLIC_URL: await proxyTo(() => app.panelUrl, UNTRUSTED, replace),
    // Accepts connections and never answers.
    MASTERLIST_PUBLIC_URL: await listen(() => undefined),
    DATABASE_URL: `postgres://muster:${SECRET}@127.0.0.1:${await freePort()}/muster`,
    PORT: String(await freePort()),
    ...signingKeys(1, Date.now() - 2 * DAY_MS).variables,
  })
  expect(performance.now() - began).toBeLessThan(15_000)
  discord.reply = 400
  expect(code).toBe(1)
  expect(Object.fromEntries(Array.from(checks, ([id, { status }]) => [id, status]))).toMatchObject({
    configuration: 'ok',
    database: 'failed',
    migrations: 'skipped',
    nodes: 'skipped',
    'database-clock': 'skipped',
    'signing-key': 'failed',
    program: 'failed',
    'panel-address': 'warning',
    'list-address': 'failed',
    'panel-proxy': 'failed',
    'list-proxy': 'skipped',
    'sign-in': 'failed',
  })
  expect(checks.get('database')?.message).toMatch(/^The database in DATABASE_URL cannot be reached: connect ECONNREFUSED/)
  expect(checks.get('list-address')?.message).toContain('because it does not answer in time')
  expect(checks.get('panel-proxy')?.remedy).toBe(`Set TRUSTED_PROXIES=${UNTRUSTED} and restart Muster.`)
  expect(checks.get('sign-in')?.remedy).toContain('discord.com/developers')
  for (const { status, remedy } of checks.values()) expect(remedy !== '').toBe(status === 'warning' || status === 'failed')
})

test('a proxy that passes on a forged address, missing migrations, and another program at the public address are found', async () => {
  const [last] = await app.db.selectFrom('schema_migrations').selectAll().orderBy('name', 'desc').limit(1).execute()
  if (last === undefined) throw new Error('There is no migration.')
  await app.db.deleteFrom('schema_migrations').where('name', '=', last.name).execute()
  const other = await listen((_, response) => response.writeHead(404).end())
  const { code, checks } = await diagnose({
    PUBLIC_URL: await proxyTo(() => app.panelUrl, TRUSTED, pass),
    MASTERLIST_PUBLIC_URL: app.panelUrl,
    PORT: new URL(other).port,
    ...signingKeys(13).variables,
  })
  expect(checks.get('signing-key')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('keys renew') as string })
  await app.db.insertInto('schema_migrations').values(last).execute()
  expect(checks.get('panel-proxy')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('choose their own address') as string,
  })
  expect(checks.get('migrations')).toMatchObject({ status: 'warning', message: `The schema lacks a migration: ${last.name}.` })
  expect(checks.get('list-address')).toMatchObject({
    status: 'failed',
    message: `MASTERLIST_PUBLIC_URL is ${app.panelUrl}, where the panel answers, not the master list.`,
  })
  expect(checks.get('program')).toMatchObject({
    status: 'failed',
    message: `PORT is ${new URL(other).port}, where another program answers, not the panel.`,
  })
  expect(code).toBe(1)
})

test('swapped addresses, swapped ports, and two nodes with the local identity provider are found', async () => {
  const now = sql`clock_timestamp()`
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) await sql`insert into nodes (id, heartbeat_at, version) values (${id}, ${now}, '1')`.execute(app.db)
  const { PUBLIC_URL = '', MASTERLIST_PUBLIC_URL = '', PORT = '', MASTERLIST_PORT = '' } = variables
  const { code, checks } = await diagnose({
    PUBLIC_URL: MASTERLIST_PUBLIC_URL,
    MASTERLIST_PUBLIC_URL: PUBLIC_URL,
    PORT: MASTERLIST_PORT,
    MASTERLIST_PORT: PORT,
    DISCORD_CLIENT_ID: '',
    DISCORD_CLIENT_SECRET: '',
  })
  for (const id of ids) await sql`delete from nodes where id = ${id}`.execute(app.db)
  const found = Object.fromEntries(Array.from(checks, ([id, { status, message, remedy }]) => [id, [status, message, remedy]]))
  const swap = (port: string) => `Swap PUBLIC_URL and MASTERLIST_PUBLIC_URL, or make the proxy forward this name to ${port}.`
  expect(found).toMatchObject({
    'panel-address': ['failed', `PUBLIC_URL is ${MASTERLIST_PUBLIC_URL}, where the master list answers, not the panel.`, swap('PORT')],
    'list-address': [
      'failed',
      `MASTERLIST_PUBLIC_URL is ${PUBLIC_URL}, where the panel answers, not the master list.`,
      swap('MASTERLIST_PORT'),
    ],
    program: [
      'failed',
      `PORT is ${MASTERLIST_PORT}, where the master list answers, not the panel.`,
      'Give this command and Muster the same PORT and MASTERLIST_PORT.',
    ],
    nodes: [
      'warning',
      expect.stringContaining('nodes run with the local identity provider: anyone who reaches one can sign in with any name.') as string,
      'Set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, unless this is a test.',
    ],
  })
  expect(code).toBe(1)
})

test('each provider of OpenID Connect is asked, with the redirect URI that it must list', async () => {
  const [main, wrong] = [await startFakeOidc(), await startFakeOidc()]
  await main.allow('https://panel.example/x')
  await wrong.allow('https://panel.example/x')
  wrong.saidIssuer = main.issuer
  const down = { OIDC_DOWN_ISSUER: `http://127.0.0.1:${await freePort()}`, OIDC_DOWN_CLIENT_ID: 'x', OIDC_DOWN_CLIENT_SECRET: SECRET }
  const { code, checks } = await diagnose({
    ...main.variables('MAIN', { LABEL: 'Main ID', CLIENT_SECRET: SECRET }),
    ...wrong.variables('WRONG'),
    ...down,
  })
  await Promise.all([main.close(), wrong.close()])
  expect(code).toBe(1)
  expect(checks.get('sign-in-main')).toEqual({
    id: 'sign-in-main',
    title: 'Sign-in: Main ID',
    status: 'ok',
    message: `${main.issuer} answers. It must list ${variables.PUBLIC_URL}/login/main/callback as a redirect URI.`,
    remedy: '',
  })
  expect(checks.get('sign-in-wrong')).toMatchObject({
    status: 'failed',
    remedy: expect.stringContaining('Set OIDC_WRONG_ISSUER') as string,
  })
  expect(checks.get('sign-in-down')).toMatchObject({
    status: 'failed',
    message: `${down.OIDC_DOWN_ISSUER} does not answer as an issuer: nothing listens there.`,
  })
})

test('a missing database and one without UTF8 are found, with the command that creates one', async () => {
  const latin = `latin_${randomUUID().replaceAll('-', '')}`
  await sql`create database ${sql.id(latin)} encoding 'LATIN1' locale 'C' template template0`.execute(app.db)
  const [missing, wrong] = await Promise.all(
    ['not_there', latin].map((name) => diagnose({ DATABASE_URL: variables.DATABASE_URL?.replace(/[^/]+(?=\?)/, name) ?? '' })),
  )
  await sql`drop database ${sql.id(latin)}`.execute(app.db)
  expect(missing?.checks.get('database')).toMatchObject({
    status: 'failed',
    message: 'The database in DATABASE_URL cannot be reached: database "not_there" does not exist',
    remedy: 'Create it with "createdb --encoding=UTF8 --template=template0 not_there", or correct its name in DATABASE_URL.',
  })
  expect(wrong?.checks.get('database')).toMatchObject({
    status: 'failed',
    message: 'The database in DATABASE_URL stores text as LATIN1. Muster needs UTF8.',
    remedy: 'Create another with "createdb --encoding=UTF8 --template=template0 NAME", and name it in DATABASE_URL.',
  })
})

test('a wrong configuration is a failed check, with every mistake', async () => {
  const { code, output } = await runCommand(['doctor'], { PORT: 'x', REACHABILITY: 'maybe' })
  expect(code).toBe(1)
  expect(output).toMatch(/^failed\s+Configuration\s+[^]*PORT must be a port[^]*REACHABILITY must be off, warn or require/)
})
