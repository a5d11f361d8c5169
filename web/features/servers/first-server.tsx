import { Link } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
import { InitialsTile } from '#web/ui/image-tile.tsx'

const STEPS = [
  [m.servers_empty_step_name(), m.servers_empty_step_name_hint()],
  [m.servers_connect_title(), m.servers_empty_step_connect_hint()],
  [m.servers_empty_step_start(), m.servers_empty_step_start_hint()],
] as const

export function FirstServer() {
  return (
    <section className="card p-6 sm:p-8">
      <div className="flex flex-wrap items-start justify-between gap-x-10 gap-y-6">
        <div className="max-w-xl">
          <h2 className="text-20 font-semibold tracking-[-0.01em]">{m.servers_empty_title()}</h2>
          <p className="mt-1.5 text-ink-2">{m.servers_empty_hint()}</p>
        </div>
        <SampleListing />
      </div>
      <ol className="mt-6 grid gap-5 sm:grid-cols-3">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="border-t border-line pt-4">
            <span className="font-mono text-12 text-ink-3">{index + 1}</span>
            <h3 className="mt-1 font-medium">{title}</h3>
            <p className="mt-1 text-13 text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
      <Link to="/servers/new" className={buttonClass('primary', 'mt-7 w-full sm:w-auto')}>
        <Plus size={16} aria-hidden="true" />
        {m.servers_empty_create()}
      </Link>
    </section>
  )
}

/** What a listed server looks like to players. */
function SampleListing() {
  return (
    <figure className="w-full max-w-80">
      <figcaption className="mb-2 text-12 text-ink-3">{m.servers_empty_sample()}</figcaption>
      <div aria-hidden="true" className="flex items-start gap-3 rounded-10 border border-dashed border-line p-4">
        <InitialsTile id="sample" name={m.servers_empty_sample_name()} className="size-12" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{m.servers_empty_sample_name()}</p>
          <p className="mt-0.5 flex gap-3 text-12 text-ink-3">
            <span className="inline-flex items-center gap-1 tabular-nums">
              <Users size={12} />
              37 / 128
            </span>
            {m.lib_language_all()}
          </p>
          <p className="mt-2 text-13 text-ink-2">{m.servers_empty_sample_about()}</p>
        </div>
      </div>
    </figure>
  )
}
