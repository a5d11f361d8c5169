import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'

export function problemTitle(status: number): string {
  if (status === 404) return m.public_not_found()
  return status < 500 && status !== 429 ? m.public_bad_address() : m.public_try_again()
}

export function ProblemPage({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <>
      <h1 className="mt-16 text-28 font-semibold tracking-[-0.02em]">{title}</h1>
      {sentences.length === 0 && <p className="mt-3 max-w-[60ch] text-ink-2">{m.public_not_found_hint()}</p>}
      {sentences.map((sentence) => (
        <p key={sentence} data-problem className="mt-3 max-w-[60ch] text-ink-2">
          {sentence}
        </p>
      ))}
      <a href="/browse" className={buttonClass('primary', 'mt-6 min-h-11')}>
        {m.public_all_servers()}
      </a>
    </>
  )
}
