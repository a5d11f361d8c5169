import type { Server } from '#contract/servers.ts'
import { playersOf } from '#web/features/servers/listing/look.ts'
import { languageName } from '#web/lib/language-name.ts'

export type Shown = ReturnType<typeof shownOf>

/** What players see of the server; an invented one where there is none. */
export function shownOf(server: Server | undefined) {
  if (server === undefined) {
    return {
      name: 'Your server',
      icon_url: null,
      players: '37 / 128',
      game_mode: 'Roleplay',
      language: 'English',
      description: 'What you write about your server stands here.',
      tags: ['voice'],
    }
  }
  const { name, icon_url, live, game_mode, description, tags, dormant } = server
  return {
    name,
    // Players don't see what a lapsed benefit gave.
    icon_url: dormant.includes('icon_image_id') ? null : icon_url,
    players: playersOf(live),
    game_mode,
    language: languageName(server.language),
    description,
    tags: tags.filter((tag) => tag.toLowerCase() !== game_mode.toLowerCase()),
  }
}
