/** The address of a picture at the identity provider; null where the person has none. */
export function avatarUrl(person: { discord_id: string; avatar: string | null }, size = 128): string | null {
  if (person.avatar === null || person.avatar === '') return null
  return `https://cdn.discordapp.com/avatars/${encodeURIComponent(person.discord_id)}/${encodeURIComponent(person.avatar)}.webp?size=${size}`
}
