import { useSuspenseQuery } from '@tanstack/react-query'
import { may, type ShownServer } from './access.ts'
import { ListingForm } from './listing-form.tsx'
import { ListingLook } from './listing-look.tsx'
import { languagesOptions } from './servers.api.ts'

/** The listing and its form, with what the form needs. */
export function ListingTab({ server }: { server: ShownServer }) {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  if (!may(server, 'EDIT_DETAILS')) return <ListingLook server={server} languages={languages} />
  return <ListingForm server={server} languages={languages} />
}
