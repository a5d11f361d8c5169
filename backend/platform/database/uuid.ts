const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text can be an id of type `uuid`; the database must not be asked for a malformed one. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
