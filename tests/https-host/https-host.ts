/**
 * A host on the "public internet" of a test: https on a loopback address, under a certificate of its own. The key is no secret: nothing
 * but these tests believes in it.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const pem = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** For `feeds.example` and `news.feeds.example`; signed by itself. */
export const CERTIFICATE = pem('certificate.pem')

/** Where the host is: what the test calls public. 127.0.0.1 stays what may never be reached. */
export const PUBLIC_ADDRESS = '127.0.0.2'

/** Starts an https host; it ends with the test. Answers its port. */
export async function startHttpsHost(answer: RequestListener, address = PUBLIC_ADDRESS, port = 0): Promise<number> {
  const server = createHttpsServer({ key: pem('key.pem'), cert: CERTIFICATE }, answer)
  return listening(server, address, port, () => server.closeAllConnections())
}

/** A listener on every address of this machine that speaks nothing and counts who comes. */
export async function startTrap(port = 0, address = '::'): Promise<{ readonly port: number; readonly visits: () => number }> {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  return { port: await listening(server, address, port, () => undefined), visits: () => visits }
}

async function listening(server: Server, address: string, port: number, end: () => void): Promise<number> {
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    end()
  })
  return (server.address() as AddressInfo).port
}
