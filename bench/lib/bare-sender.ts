/** The least that a sender of webhooks does: signs each event for each webhook and sends it. */
import { Webhook } from 'standardwebhooks'
import { answerMessages } from './worker-process.ts'

export interface SendOrder {
  readonly url: string
  readonly secret: string
  readonly events: number
  readonly webhooks: number
}

answerMessages(async ({ url, secret, events, webhooks }: SendOrder) => {
  for (let event = 0; event < events; event += 1) {
    const sent = Array.from({ length: webhooks }, async (_, index) => {
      const [id, now] = [`bare_${event}_${index}`, new Date()]
      const body = JSON.stringify({ id, type: 'server.updated', timestamp: now, data: { description: `Change ${event}`.padEnd(400) } })
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(now.getTime()),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      }
      const { status } = await fetch(url, { method: 'POST', headers, body })
      if (status !== 204) throw new Error(`The receiver returned ${status}.`)
    })
    await Promise.all(sent)
  }
  return { sent: events * webhooks }
})
