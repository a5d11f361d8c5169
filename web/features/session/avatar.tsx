import { useState } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { InitialsTile } from '#web/ui/image-tile.tsx'

interface AvatarUser {
  discord_id: string
  avatar: string | null
  username: string
}

export function Avatar({ user, size = 32 }: { user: AvatarUser; size?: number }) {
  const [broken, setBroken] = useState<string>()
  const url = avatarUrl(user)
  const box = cx('shrink-0 rounded-full', size > 40 ? 'size-12' : size > 28 ? 'size-8' : size > 20 ? 'size-6' : 'size-5')
  if (url !== null && url !== broken) {
    return <img src={url} alt="" width={size} height={size} className={cx(box, 'bg-surface-3')} onError={() => setBroken(url)} />
  }
  return <InitialsTile id={user.discord_id} name={user.username} isTiny={size <= 20} className={box} />
}

function avatarUrl({ discord_id: id, avatar }: AvatarUser): string | null {
  if (avatar === null || avatar === '') return null
  return `https://cdn.discordapp.com/avatars/${encodeURIComponent(id)}/${encodeURIComponent(avatar)}.webp?size=128`
}
