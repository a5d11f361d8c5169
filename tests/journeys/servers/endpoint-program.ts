/** A program that asks servers in private networks, too, and game servers that answer it. */
import { listenForProbes, probeAnswer } from '#sdk/probe.ts'
import { type CreatedServer, test as base } from '#tests/journeys/journey.ts'
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
      const program = await untilReady(await startProgram(folder, { REACHABILITY_PRIVATE: 'on', REACHABILITY: 'off' }))
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
