/** A program that asks servers in private networks, too, and believes this machine where an announce comes from. */
import { listenForProbes, probeAnswer } from '#sdk/probe.ts'
import { type CreatedServer, expect, test as base } from '#tests/journeys/journey.ts'
import { discard, freePort, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

interface Fixtures {
  /** Answers for the server on all addresses of this machine. Returns its port. */
  answerFor: (server: CreatedServer) => Promise<number>
}

export const test = base.extend<Fixtures, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      // The reachability check would prove the servers that a journey wants unproven.
      const checks = { REACHABILITY_PRIVATE: 'on', REACHABILITY: 'off', PRIVATE_ADDRESSES: 'reject' }
      const program = await untilReady(await startProgram(folder, { ...checks, TRUSTED_PROXIES: '127.0.0.1' }))
      await provide(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
  answerFor: async ({ browserName: _browser }, provide) => {
    const listeners: { close(): void }[] = []
    await provide(async ({ public_id: publicId, credential }) => {
      const port = await freePort()
      const listener = await listenForProbes(port, (path, host) => probeAnswer(path, host, { publicId, credential }))
      if (listener === undefined) throw new Error(`Could not listen on port ${port}.`)
      listeners.push(listener)
      return port
    })
    for (const listener of listeners) listener.close()
  },
})

/** An announce that a proxy has passed on. */
export async function announceFrom(program: Program, source: string, { credential }: CreatedServer, port: number): Promise<void> {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json', 'x-forwarded-for': source }
  const body = { port, playersCount: 1, maxPlayersCount: 8, passworded: false, version: '1.0.0', branch: 'release' }
  const reply = await fetch(`${program.listUrl}/announce`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(reply.status, await reply.text()).toBe(200)
}
