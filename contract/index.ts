/** The table of endpoints: every call of the product, named once. The only barrel in the house. */
import * as about from './about.ts'
import * as auth from './auth.ts'
import type { Endpoint } from './endpoint.ts'
import * as masterlist from './masterlist.ts'
import * as servers from './servers.ts'
import * as users from './users.ts'

export const endpoints = [
  about.about,
  auth.authorizeUrl,
  auth.signIn,
  auth.logOut,
  users.me,
  servers.list,
  servers.create,
  servers.languages,
  servers.events,
  servers.get,
  servers.change,
  servers.remove,
  servers.reissue,
  servers.resetAddress,
  servers.announces,
  masterlist.announce,
  masterlist.leave,
  masterlist.servers,
  masterlist.info,
  masterlist.server,
] as const satisfies readonly Endpoint[]

type Listed = (typeof endpoints)[number]

/** Every endpoint by its route text, for callers that name a call by its route and need only its types. */
export type Api = { [E in Listed as E['route']]: E }
