import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { aboutOptions } from './about.api.ts'

/** The address for appeals and questions, or "us" until it is known. */
export function AppealLink() {
  const { data: about } = useQuery(aboutOptions)
  if (!about) return m.shell_banned_address_unknown()
  const { ban_appeal_email: email } = about
  return (
    <a href={`mailto:${email}`} className="inline-block max-w-full [overflow-wrap:anywhere] text-accent underline underline-offset-2">
      {email}
    </a>
  )
}
