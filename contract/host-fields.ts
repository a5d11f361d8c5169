/** Fields of an announce with a full host name. The backend checks whether the host is on the public internet. */
import { z } from 'zod'
import { isWebAddress } from './text.ts'

const text = (label: string) => z.string({ error: `${label} must be a text.` }).max(255, `${label} can be at most 255 characters long.`)

export const urlField = (label: string) =>
  text(label).refine((url) => url === '' || (/^https?:\/\/[^\s\\@\p{Cc}\p{Cf}\p{Cs}]+$/iu.test(url) && isWebAddress(url)), {
    error: `${label} must be an address with http:// or https:// and a full host name, such as https://example.com.`,
  })

/** IPv6 without brackets. A name with a port has only one colon. */
const BARE_IPV6 = /^[^[\]]*:[^[\]]*:/

/** A host as a URL. */
export const urlOfHost = (host: string) => `http://${BARE_IPV6.test(host) ? `[${host}]` : host}`

export const hostField = (label: string) =>
  text(label).refine((host) => host === '' || (/^[^/?#@\s\p{Cc}\p{Cf}\p{Cs}]+$/u.test(host) && isWebAddress(urlOfHost(host))), {
    error: `${label} must be a full host name or an IP address, with or without a port, such as play.example.com.`,
  })
