import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { buttonClass } from '#web/ui/button.tsx'

const STEPS = [
  ['Name it', 'Choose a name and a language. Everything else can wait.'],
  ['Paste the block', 'Put the ready server.toml block into your server. Its credential is shown once.'],
  ['Watch it turn green', 'Start the server. This page sees its first announce and says so.'],
] as const

export function FirstServer() {
  return (
    <section className="card p-6 sm:p-8">
      <h2 className="text-20 font-semibold tracking-[-0.01em]">Put your first server on the list</h2>
      <p className="mt-1.5 max-w-xl text-ink-2">It takes about two minutes. Players see the server a second after its first announce.</p>
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
        Create your first server
      </Link>
    </section>
  )
}
