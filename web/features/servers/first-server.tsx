import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'

const STEPS = [
  [m.servers_empty_step_name(), m.servers_empty_step_name_hint()],
  [m.servers_empty_step_toml(), m.servers_empty_step_toml_hint()],
  [m.servers_empty_step_start(), m.servers_empty_step_start_hint()],
] as const

export function FirstServer() {
  return (
    <section className="card p-6 sm:p-8">
      <h2 className="text-20 font-semibold tracking-[-0.01em]">{m.servers_empty_title()}</h2>
      <p className="mt-1.5 max-w-xl text-ink-2">{m.servers_empty_hint()}</p>
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
