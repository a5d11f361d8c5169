import type { ShownServer } from '#web/features/servers/access.ts'
import { AppearanceLook } from './appearance-look.tsx'
import { type Language, languageName } from './language-select.tsx'
import { ListingPreview } from './listing-preview.tsx'
import { lookOf } from './look.ts'
import { Shown, WhyOnlyLooking } from './shown.tsx'

interface ListingLookProps {
  server: ShownServer
  languages: readonly Language[]
}

/** The listing for somebody who may look at it but change nothing of it. */
export function ListingLook({ server, languages }: ListingLookProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="min-w-0 space-y-6">
        <ListingTexts server={server} languages={languages} />
        <AppearanceLook server={server} />
      </div>
      <ListingPreview server={server} typed={server} look={lookOf(server)} languages={languages} />
    </div>
  )
}

/** The texts of the listing: every field, and why there is no form. */
export function ListingTexts({ server, languages }: ListingLookProps) {
  const owner = server.owner?.discord.username ?? 'the owner'
  return (
    <section aria-label="Listing" className="card p-5">
      <WhyOnlyLooking>
        You can look at these texts but not change them. That takes “Edit details”, which {owner} can give you.
      </WhyOnlyLooking>
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
  )
}
