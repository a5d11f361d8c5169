/** Example adapter for a naive list server: an array scan per announce, JSON.stringify per reader, no compression, no ETag. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { announceBody } from '#bench/lib/fleet.ts'
import { announceRequest, listRequest } from '#bench/lib/requests.ts'
import type { Peer } from './peer.ts'

export const peer: Peer = {
  name: 'naive',
  async start(_fleet, port) {
    const child = fork(join(import.meta.dirname, 'naive-server.ts'), [String(port)])
    await once(child, 'message')
    return {
      pids: [child.pid ?? 0],
      port,
      async stop() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      },
    }
  },
  // This server accepts our announce body; other servers have their own format.
  announce: ({ credential, profile }, players) => announceRequest(credential, announceBody(profile, players)),
  list: listRequest('/servers', {}),
}
