/** The reason of a protection issue, as the panel shows it: with a link in the place of the address that game servers print. */

const PAGE = /: https?:\/\/\S+\/protection-issues\/([\da-f-]{36})\./

interface Reason {
  readonly code: string
  readonly message: string
}

/** The issue that keeps the server off the list, where one does. */
export function issueOf({ code, message }: Reason): string | undefined {
  return code === 'HELD_BACK' ? PAGE.exec(message)?.[1] : undefined
}

/** The message as people read it. */
export function textOf({ message }: Reason): string {
  return message.replace(PAGE, '.')
}
