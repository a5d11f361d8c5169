import { Globe, Users } from 'lucide-react'
import { ServerTile } from './server-tile.tsx'

interface ListingPreviewProps {
  name: string
  description: string
  gameMode: string
  language: string
  tags: readonly string[]
  website: string
  players: string
  iconUrl: string | null
  visible: boolean
}

/** How the launcher shows the server, as it is typed. */
export function ListingPreview({ name, description, gameMode, language, tags, website, players, iconUrl, visible }: ListingPreviewProps) {
  return (
    <aside aria-label="Preview" className="lg:sticky lg:top-6">
      <h2 className="mb-2 text-12 text-ink-3">As players see it{visible ? '' : ' (hidden now)'}</h2>
      <div className={visible ? 'card p-4' : 'card border-dashed p-4'}>
        <div className="flex items-start gap-3">
          <ServerTile name={name} iconUrl={iconUrl} large />
          <div className="min-w-0 flex-1">
            <p className="font-semibold break-words">{name.trim() || 'Your server'}</p>
            <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-12 text-ink-3">
              <span className="inline-flex items-center gap-1 tabular-nums">
                <Users size={12} aria-hidden="true" />
                {players}
              </span>
              <span>{language}</span>
              {gameMode.trim() !== '' && <span>{gameMode}</span>}
            </p>
          </div>
        </div>
        {description.trim() !== '' && <p className="mt-3 text-13 break-words whitespace-pre-line text-ink-2">{description}</p>}
        {tags.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-1">
            {tags.map((tag) => (
              <span key={tag} className="rounded-6 border border-line px-1.5 text-12 text-ink-2">
                {tag}
              </span>
            ))}
          </p>
        )}
        {website.trim() !== '' && (
          <p className="mt-3 flex items-center gap-1.5 text-12 break-all text-ink-3">
            <Globe size={12} className="shrink-0" aria-hidden="true" />
            {website}
          </p>
        )}
      </div>
    </aside>
  )
}
