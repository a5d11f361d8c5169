/** A receiver of webhooks beside the panel. */
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import { test as base } from '#tests/journeys/journey.ts'
import { send } from '#tests/journeys/users.ts'

export interface Request {
  readonly headers: Record<string, string>
  readonly body: string
}

/** A program on this machine that receives webhooks. */
export class Receiver {
  readonly requests: Request[] = []
  status = 204
  body = ''
  readonly #server: Server

  constructor() {
    this.#server = createHttpServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        this.requests.push({ headers: request.headers as Record<string, string>, body })
        response.writeHead(this.status, { 'content-type': 'application/json' }).end(this.body)
      })
    })
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }
}

export const test = base.extend<{ receiver: Receiver }, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      const program = await untilReady(await startProgram(folder, { WEBHOOKS_PRIVATE: 'on' }))
      await provide(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
  receiver: async ({ browserName: _browser }, provide) => {
    const receiver = new Receiver()
    await receiver.listen()
    await provide(receiver)
    receiver.close()
  },
})

export interface Created {
  readonly id: string
}

/** Creates a webhook without the form. */
export async function createWebhook(page: Page, body: Record<string, unknown>): Promise<Created> {
  return await send<Created>(page, 'POST /api/users/webhooks', { kind: 'standard', events: ['server.updated'], ...body })
}
