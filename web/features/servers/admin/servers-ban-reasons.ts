import type { BanReasons } from '#web/ui/ban-form.tsx'

/** What servers are often banned for. */
export const SERVER_BAN_REASONS: BanReasons = [
  ['Misleading name', 'The name pretends to be another server. Give it a name of its own and write to us.'],
  ['False player counts', 'The player counts that the server announces are not true.'],
  ['Offensive listing', 'The name, the description or the pictures break the rules of the list.'],
  ['Harms players', 'Joining the server harms players or what they own.'],
]
