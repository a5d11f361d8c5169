import { useSuspenseQuery } from '@tanstack/react-query'
import { meOptions } from './session.api.ts'

/** The key of a form's draft in this tab. It belongs to one user, because another one may sign in. */
export function useDraftKey(name: string): string {
  const { data: me } = useSuspenseQuery(meOptions)
  return `${me.id}.${name}`
}
