/** A naive list server in its own process. Its argument is the port. */
import { createServer } from 'node:http'

interface Listed {
  readonly token: string
  announce: Record<string, unknown>
  lastSeen: number
}

const EXPIRES_AFTER_MS = 3_600_000
let servers: Listed[] = []

// The parent may exit without notice.
process.on('disconnect', () => process.exit())

createServer((request, response) => {
  if (request.method === 'GET') {
    const now = performance.now()
    servers = servers.filter(({ lastSeen }) => now - lastSeen < EXPIRES_AFTER_MS)
    const body = JSON.stringify(servers.map(({ announce }) => announce))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
    return
  }
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    const token = request.headers.authorization ?? ''
    const { resources: _resources, ...announce } = JSON.parse(body) as Record<string, unknown>
    const existing = servers.find((server) => server.token === token)
    if (existing === undefined) servers.push({ token, announce, lastSeen: performance.now() })
    else Object.assign(existing, { announce, lastSeen: performance.now() })
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 }).end('{}')
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'))
