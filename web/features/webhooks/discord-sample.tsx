import { PUBLIC_EVENTS } from '#contract/events/public-events.ts'
import { m } from '#messages'
import './webhooks.css'
import { BrandMark } from '#web/ui/brand.tsx'

/** What an alert looks like in Discord. */
export function DiscordSample({ server }: { server: string }) {
  return (
    <figure>
      <figcaption className="mb-2 text-12 text-ink-3">{m.webhooks_sample_caption()}</figcaption>
      <div className="flex gap-3 rounded-10 border border-line bg-surface-1 p-4 text-left">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-surface-2" aria-hidden="true">
          <BrandMark />
        </span>
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{m.webhooks_sample_sender()}</span>
            <span className="rounded-6 bg-accent px-1.5 text-12 font-medium text-on-accent">{m.webhooks_sample_app()}</span>
            <span className="text-12 text-ink-3">{m.webhooks_sample_time()}</span>
          </p>
          <div className="mt-1.5 max-w-md rounded-6 discord-embed bg-surface-2 px-3.5 py-3 text-13">
            <p className="font-semibold text-accent">{PUBLIC_EVENTS['server.offline'].title()}</p>
            <p className="mt-1 text-ink-2">{PUBLIC_EVENTS['server.offline'].description()}</p>
            <dl className="mt-3">
              <dt className="text-12 font-semibold">{m.webhooks_log_server()}</dt>
              <dd className="[overflow-wrap:anywhere]">{server}</dd>
            </dl>
          </div>
        </div>
      </div>
    </figure>
  )
}
