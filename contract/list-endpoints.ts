/** The endpoints of the master list's listener by tag. `contract/index.ts` has all of them. */
import * as badges from './public-site/badges.ts'
import * as cloudAuth from './masterlist/cloud-auth.ts'
import * as connection from './servers/connection.ts'
import * as legacyList from './masterlist/legacy-list.ts'
import * as masterlist from './masterlist/masterlist.ts'
import * as signedList from './masterlist/signed-list.ts'

export const listEndpointGroups = [
  {
    tag: 'Announcing',
    description: "For game servers. On the master list's listener, with a credential.",
    calls: {
      announce: masterlist.announce,
      goOffline: masterlist.leave,
    },
  },
  {
    tag: 'Master list',
    description: "For launchers and query libraries. On the master list's listener, without signing in.",
    calls: {
      listServers: masterlist.servers,
      streamServers: masterlist.stream,
      getListInfo: masterlist.info,
      getListedServer: masterlist.server,
      getAveragePlayers: masterlist.averagePlayers,
      getHighestPlayers: masterlist.highestPlayers,
      getLauncherTheme: masterlist.skin,
      getBadge: badges.badge,
      getSignedHead: signedList.head,
      getSignedKeys: signedList.keys,
      getSignedChunk: signedList.chunk,
      getListConnection: connection.ofList,
    },
  },
  {
    tag: 'Legacy list',
    description: "The paths and fields of the older list API, for bots and sites that still use it. On the master list's listener.",
    calls: {
      listLegacyServers: legacyList.servers,
      getLegacyServer: legacyList.server,
      getLegacyAveragePlayers: legacyList.averagePlayers,
      getLegacyHighestPlayers: legacyList.highestPlayers,
    },
  },
  {
    tag: 'Cloud auth',
    description: "Proves to a game server who a player is. On the master list's listener.",
    calls: {
      getCloudAuthConfiguration: cloudAuth.configuration,
      createCloudAuthTicket: cloudAuth.ticket,
      verifyCloudAuthTicket: cloudAuth.verify,
      getCloudAuthKeys: cloudAuth.keys,
    },
  },
] as const
