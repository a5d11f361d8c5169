import { BadgeCheck, Globe, Layers, Megaphone, Users } from 'lucide-react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { languageName, regionName } from '#web/lib/code-names.ts'
import type { ListingInput } from './listing-form.ts'
import { type VisibleAppearance, playersText } from './visible-appearance.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'

interface ListingPreviewProps {
  server: ShownServer
  values: ListingInput
  appearance: VisibleAppearance
}

export function ListingPreview({ server, values, appearance }: ListingPreviewProps) {
  const { name, language, region, tags, visible, description, game_mode, website } = values
  return (
    <aside aria-label={m.servers_listing_preview()} className="lg:sticky lg:top-6">
      <h2 className="mb-2 text-12 text-ink-3">{visible ? m.servers_listing_preview_title() : m.servers_listing_preview_title_hidden()}</h2>
      <div className={visible ? 'card overflow-hidden p-4' : 'card overflow-hidden border-dashed p-4'}>
        {server.banner_url !== null && (
          <img src={server.banner_url} alt="" className="-mx-4 -mt-4 mb-3 h-24 w-[calc(100%+2rem)] max-w-none object-cover" />
        )}
        <div className="flex items-start gap-3">
          <ImageTile id={server.public_id} name={name} url={appearance.iconUrl} className="size-12" />
          <div className="min-w-0 flex-1">
            <p className="flex items-start gap-1.5 font-semibold">
              <span className="min-w-0 break-words">{name.trim() || m.servers_listing_preview_name()}</span>
              {server.verified && (
                <BadgeCheck size={14} className="mt-1 shrink-0 text-ok" role="img" aria-label={m.servers_flag_verified()} />
              )}
              {appearance.promoted && (
                <Megaphone size={14} className="mt-1 shrink-0 text-info" role="img" aria-label={m.servers_flag_promoted()} />
              )}
            </p>
            {appearance.vanity !== null && <p className="font-mono text-12 [overflow-wrap:anywhere] text-ink-3">@{appearance.vanity}</p>}
            <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-12 text-ink-3">
              <span className="inline-flex items-center gap-1 tabular-nums">
                <Users size={12} aria-hidden="true" />
                {playersText(server.live)}
              </span>
              <span>{languageName(language)}</span>
              {region !== '' && <span>{regionName(region)}</span>}
              {game_mode?.trim() && <span>{game_mode}</span>}
            </p>
          </div>
        </div>
        {appearance.group !== null && (
          <p className="mt-3 flex items-center gap-1.5 text-12 text-ink-2">
            <Layers size={12} className="shrink-0 text-ink-3" aria-hidden="true" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{appearance.group}</span>
          </p>
        )}
        {description?.trim() && <p className="mt-3 text-13 break-words whitespace-pre-line text-ink-2">{description}</p>}
        {tags.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-1">
            {tags.map((tag) => (
              <span key={tag} className="rounded-6 border border-line px-1.5 text-12 text-ink-2">
                {tag}
              </span>
            ))}
          </p>
        )}
        {website?.trim() && (
          <p className="mt-3 flex items-center gap-1.5 text-12 break-all text-ink-3">
            <Globe size={12} className="shrink-0" aria-hidden="true" />
            {website}
          </p>
        )}
      </div>
    </aside>
  )
}
