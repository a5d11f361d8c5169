import { useSuspenseQuery } from '@tanstack/react-query'
import type { Server } from '#contract/servers.ts'
import { ListingForm } from './listing-form.tsx'
import { languagesOptions } from './servers.api.ts'

/** The listing and its form, with what the form needs. */
export function ListingTab({ server }: { server: Server }) {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  return <ListingForm server={server} languages={languages} />
}
