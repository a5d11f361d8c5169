/** The ids that the database gives out as `uuid`: of people, offers and grants. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What can't be an id is nobody's; the database need not be asked, and must not be asked for a malformed one. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
