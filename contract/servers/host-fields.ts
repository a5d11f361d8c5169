/** Fields of an announce with a full host name. The backend checks whether the host is on the public internet. */
import { z } from 'zod'
import * as m from '#contract/text/messages.ts'
import { isWebAddress } from '#contract/text/text.ts'

const text = (label: string) => z.string({ error: m.mustBeText(label) }).max(255, { error: m.isTooLong(label, 255) })

export const urlField = (label: string) =>
  text(label).refine((url) => url === '' || (/^https?:\/\/[^\s\\@\p{Cc}\p{Cf}\p{Cs}]+$/iu.test(url) && isWebAddress(url)), {
    error: m.mustBeFullUrl(label),
  })

/** IPv6 without brackets. A name with a port has only one colon. */
const BARE_IPV6 = /^[^[\]]*:[^[\]]*:/

/** A host as a URL. */
export const urlOfHost = (host: string) => `http://${BARE_IPV6.test(host) ? `[${host}]` : host}`

export const hostField = (label: string) =>
  text(label).refine((host) => host === '' || (/^[^/?#@\s\p{Cc}\p{Cf}\p{Cs}]+$/u.test(host) && isWebAddress(urlOfHost(host))), {
    error: m.mustBeHost(label),
  })
