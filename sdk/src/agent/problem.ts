/** What the owner reads when the list rejects a call or gives no usable reply. */
import { isFromList } from '../call.ts'
import type { Notice, Outage } from '../types.ts'

const WRONG_ADDRESS = "MUSTER_URL may be the panel's address. Set it to the address of the master list."

/** A rejection, with what to do. */
export function describeRejection(rejection: Notice): Notice {
  const { code, message, remedy } = rejection
  return { code, message, remedy: isFromList(rejection) ? remedy : WRONG_ADDRESS }
}

/** Why there is no usable reply, and what to do. */
export function describeOutage({ message, status }: Pick<Outage, 'message' | 'status'>): Notice {
  const sentence = status === 0 ? `The list does not reply: ${message}.` : `There is no usable reply: ${message}.`
  return { code: '', message: sentence, remedy: outageRemedy(status) }
}

function outageRemedy(status: number): string {
  if (status === 0 || status >= 500) return 'Check that MUSTER_URL is correct and that the list is running.'
  if (status >= 300 && status < 400) return 'Set MUSTER_URL to an address that does not redirect, such as one with https://.'
  return WRONG_ADDRESS
}

/** The code, message and remedy on one line. */
export function lineOf({ code, message, remedy }: Notice): string {
  return `${code === '' ? '' : `${code}: `}${message} ${remedy}`.trim()
}
