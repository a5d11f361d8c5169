import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ShownServer } from './access.ts'
import { type Language, languageName } from './language-select.tsx'
import { ListingPreview } from './listing-preview.tsx'

/** The listing for somebody who may look at its texts but not change them: every field, and why there is no form. */
export function ListingLook({ server, languages }: { server: ShownServer; languages: readonly Language[] }) {
  const owner = server.owner?.discord.username ?? 'the owner'
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <section aria-label="Listing" className="card p-5">
        <p className="flex gap-2.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
          <Lock size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden="true" />
          <span>You can look at these texts but not change them. That takes “Edit details”, which {owner} can give you.</span>
        </p>
        <dl className="mt-3">
          <Shown label="Name">{server.name}</Shown>
          <Shown label="Description">{server.description}</Shown>
          <Shown label="Language">{languageName(languages, server.language)}</Shown>
          <Shown label="Game mode">{server.game_mode}</Shown>
          <Shown label="Tags">{server.tags.join(', ')}</Shown>
          <Shown label="Website">{server.website}</Shown>
          <Shown label="On the public list">{server.visible ? 'Shown' : 'Hidden'}</Shown>
        </dl>
      </section>
      <ListingPreview server={server} typed={server} languages={languages} />
    </div>
  )
}

function Shown({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
        {children === '' ? <span className="text-ink-3">none</span> : children}
      </dd>
    </div>
  )
}
