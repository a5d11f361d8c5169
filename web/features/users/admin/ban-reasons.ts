import type { BanReasons } from '#web/ui/ban-form.tsx'

/** What people are often banned for. */
export const USER_BAN_REASONS: BanReasons = [
  ['Spam', 'Servers were created to fill the list.'],
  ['False player counts', 'The servers announce player counts that are not true, again after we wrote about it.'],
  ['Imitates others', 'The servers pretend to be those of others.'],
  ['Evades a ban', 'This account goes around the ban of another one.'],
]
