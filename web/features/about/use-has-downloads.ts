import { useQuery } from '@tanstack/react-query'
import { aboutOptions } from './about.api.ts'

/** Whether the operator offers downloads. Without them, nothing leads to their page. */
export function useHasDownloads(): boolean {
  const { data: about } = useQuery(aboutOptions)
  return about?.has_downloads === true
}

/** True until the panel knows, so that a page that has one does not shift. */
export function useHasPublicSite(): boolean {
  const { data: about } = useQuery(aboutOptions)
  return about?.public_site !== false
}
