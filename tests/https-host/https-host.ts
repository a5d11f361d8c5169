/**
 * An https host on a loopback address that a test treats as public, with a self-signed certificate. The key is not secret: only these
 * tests trust it.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const pem = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** Self-signed, for `feeds.example` and `news.feeds.example`. */
export const CERTIFICATE = pem('certificate.pem')

/** The same for `feeds.example`, but valid in 2020 only. */
export const EXPIRED_CERTIFICATE = pem('expired.pem')

export const PRIVATE_KEY = pem('key.pem')

/** The address that tests treat as public. 127.0.0.1 stays forbidden. */
export const PUBLIC_ADDRESS = '127.0.0.2'

/** Starts an https host for the duration of the test. Returns its port. */
export async function startHttpsHost(handler: RequestListener, address = PUBLIC_ADDRESS, port = 0): Promise<number> {
  const server = createHttpsServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, handler)
  return listen(server, address, port, () => server.closeAllConnections())
}

/** Listens on every address of this machine, closes each connection and counts it. */
export async function startTrap(port = 0, address = '::'): Promise<{ readonly port: number; readonly visits: () => number }> {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  return { port: await listen(server, address, port, () => undefined), visits: () => visits }
}

async function listen(server: Server, address: string, port: number, closeConnections: () => void): Promise<number> {
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    closeConnections()
  })
  return (server.address() as AddressInfo).port
}
