/** The example page that lists servers from a mirror alone, verified in the browser. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join, normalize } from 'node:path'
import { expect } from '@playwright/test'
import { test } from '#tests/journeys/journey.ts'
import { discard, temporaryFolder } from '#tests/program.ts'
import { signedFiles } from '#tests/sdk/signed-sources.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close().closeAllConnections() }
}

test('the page shows the servers of a mirror, and nothing of one that lies', async ({ page }) => {
  // Another test builds sdk/dist meanwhile.
  const sdk = temporaryFolder()
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'sdk/tsconfig.build.json'), '--outDir', sdk], { stdio: 'inherit' })
  const site = await listen((request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://site').pathname)
    const file = path.startsWith('/sdk/dist/esm/')
      ? join(sdk, path.slice('/sdk/dist/esm/'.length))
      : join(ROOT, path, path.endsWith('/') ? 'index.html' : '')
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(readFileSync(file))
  })
  const keys = signingKeys()
  const liar = signingKeys()
  let files = signedFiles({ keys, startsAt: Date.now() })
  const mirror = await listen((request, response) => {
    response.setHeader('access-control-allow-origin', '*').end(files.get(request.url ?? ''))
  })
  try {
    const address = `${site.url}/examples/mirror/?key=${encodeURIComponent(keys.publicKey)}&mirror=${mirror.url}`
    await page.goto(address, { waitUntil: 'load' })
    await expect(page.getByRole('status')).toContainText(`6 servers, signed at`)
    await expect(page.getByRole('listitem')).toHaveCount(6)
    await expect(page.getByRole('listitem').first()).toContainText('Ölmühle')

    files = signedFiles({ keys: liar, startsAt: Date.now() })
    await page.reload({ waitUntil: 'load' })
    await expect(page.getByRole('status')).toContainText('its key notes cannot be trusted: they are not of this public key')
    await expect(page.getByRole('listitem')).toHaveCount(0)
  } finally {
    site.close()
    mirror.close()
    discard(sdk)
  }
})
