/** `muster announce` as a command, against a running list. */
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { readOne } from '#tests/list/send.ts'
import { freePort, runCommand } from '#tests/program.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

const announce = (url: string, credential: string, ...args: string[]) =>
  runCommand(['announce', '--url', url, ...args], { MUSTER_CREDENTIAL: credential })

test('announce explains each reply, exits with its own code, and never prints the credential', async () => {
  const owner = await app.newUser()
  const [listed, hidden, left] = [await buildServer(owner), await buildServer(owner, { visible: false }), await buildServer(owner)]
  const unknown = listed.credential.replace(/.{4}$/, 'AAAA')
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const [accepted, notListed, gone, rejected, invalid, ofPanel, unreachable] = await Promise.all([
    announce(`${app.listUrl}/`, listed.credential, '--port', '7790', '--players', '3', '--max-players', '8'),
    announce(app.listUrl, hidden.credential),
    announce(app.listUrl, left.credential, '--leave'),
    announce(app.listUrl, unknown),
    announce(app.listUrl, left.credential, '--port', '70000'),
    announce(app.panelUrl, listed.credential),
    announce(nowhere, listed.credential),
  ])
  expect(accepted.output).toContain(`Sent: POST ${app.listUrl}/announce\n  Authorization: Bearer mst_${listed.public_id}_…`)
  expect(accepted.output).toContain('Accepted. Players see the server on the list.')
  expect(accepted.code).toBe(0)
  expect(await readOne(app, listed.public_id)).toMatchObject({ available: true, port: 7790, playersCount: 3, maxPlayersCount: 8 })
  expect([notListed.code, notListed.output]).toEqual([2, expect.stringMatching(/not see the server on the list[^]*Notice HIDDEN: /)])
  expect([gone.code, gone.output]).toEqual([0, expect.stringContaining('Left the list again')])
  expect(await readOne(app, left.public_id)).toMatchObject({ available: false })
  expect([rejected.code, rejected.output]).toEqual([3, expect.stringMatching(/Rejected: CREDENTIAL_MALFORMED \(401\)[^]*→ Copy the whole/)])
  expect([invalid.code, invalid.output]).toEqual([3, expect.stringContaining('port must be a whole number from 1 to 65535.')])
  expect([ofPanel.code, ofPanel.output]).toEqual([
    4,
    expect.stringContaining('→ This is the panel. Use the address of its master list: --url '),
  ])
  expect([unreachable.code, unreachable.output]).toEqual([4, expect.stringContaining('because nothing listens there.')])
  for (const { output } of [accepted, notListed, gone, rejected, invalid, ofPanel, unreachable])
    for (const { credential } of [listed, hidden, left]) expect(output).not.toContain(credential.slice(12, 30))
})

test('announce rejects wrong options before it sends anything', async () => {
  const [missing, badCredential, badPort] = await Promise.all([
    runCommand(['announce'], {}),
    announce(app.listUrl, 'mst_ “copied from a chat”'),
    announce(app.listUrl, 'mst_x', '--port', 'http'),
  ])
  expect(missing).toEqual({ code: 1, output: 'The credential is missing. Set MUSTER_CREDENTIAL, or use --credential.\n' })
  expect([badCredential.code, badCredential.output]).toEqual([1, expect.not.stringContaining('chat')])
  expect(badPort).toEqual({ code: 1, output: '--port must be a whole number.\n' })
})
