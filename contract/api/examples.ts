/** Examples of bodies and replies in the OpenAPI document. A test compares each with its schema. */
import { INITIAL_FIELDS, LIST_FIELDS, serverField } from '#contract/servers/server-field-shapes.ts'

export const ANNOUNCE_EXAMPLE = {
  port: 7788,
  playersCount: 12,
  maxPlayersCount: 64,
  passworded: false,
  version: '1.0',
  branch: 'release',
  gameMode: 'Roleplay',
}

export const LISTED_EXAMPLE = {
  publicId: 'AbCd123',
  ...Object.fromEntries(LIST_FIELDS.map(({ field, name }) => [name, serverField(field).examples[0]])),
  promoted: false,
  visible: true,
  playersCount: 12,
  playersConfirmed: true,
  maxPlayersCount: 64,
  queueCount: 0,
  passworded: false,
  port: 7788,
  address: '203.0.113.7:7788',
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
  useVoiceChat: false,
  version: '1.0',
  branch: 'release',
  available: true,
  banned: false,
  lastTimeUpdate: '2026-11-25T12:00:00.000Z',
  verified: false,
  hasCustomSkin: false,
  bannerUrl: '',
  masterlist_icon_url: null,
  masterlist_banner_url: null,
  joinBackgroundUrl: '',
  group: null,
}

export const LEGACY_EXAMPLE = {
  id: 'AbCd123',
  maxPlayers: 64,
  players: 12,
  name: 'My Town',
  locked: false,
  host: '203.0.113.7',
  port: 7788,
  gameMode: 'Roleplay',
  website: 'example.com',
  language: 'en',
  description: 'A small town by the sea.',
  verified: false,
  promoted: false,
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
  useVoiceChat: false,
  tags: ['friendly'],
  bannerUrl: null,
  branch: 'release',
  build: -1,
  version: '1.0',
  lastUpdate: 1_795_608_000_000,
}

export const DELTA_EXAMPLE = { version: 'k3f.42', changed: [{ publicId: 'AbCd123', playersCount: 13 }], removed: ['XyZ7890'] }

export const NEW_SERVER_EXAMPLE = {
  public_id: 'AbCd123',
  user_id: '019ac0de-0000-7000-8000-000000000001',
  name: 'My Town',
  ...INITIAL_FIELDS,
  group: null,
  icon_url: null,
  banner_url: null,
  dormant: [],
  credential_hint: 'x9Yz',
  credential_issued_at: '2026-11-25T12:00:00.000Z',
  credential_last_used_at: null,
  credential_grace_until: null,
  previous_credential_last_used_at: null,
  bound_address: null,
  bound_at: null,
  banned: false,
  ban_reason: null,
  banned_until: null,
  verified: false,
  status: 'never_seen',
  offline_since: null,
  live: null,
  last_announced: null,
  listing: {
    listed: false,
    reasons: [
      {
        code: 'NEVER_ANNOUNCED',
        message: 'The server has not announced yet. Put the credential into the server configuration and start the server.',
        since: '2026-11-25T12:00:00.000Z',
      },
    ],
  },
  created_at: '2026-11-25T12:00:00.000Z',
  updated_at: '2026-11-25T12:00:00.000Z',
  version: 1,
  credential: 'mst_AbCd123_ZK3v0W1yQm2pLs8dq1YdT7uB4nXc6e0aBcx9Yz',
}

export const TAKEN_EXAMPLES = {
  409: {
    'The name is taken': {
      statusCode: 409,
      errors: ['Another server has this name, or one that looks like it. Choose a different name.'],
      isBusiness: true,
      businessStatus: 'NAME_ALREADY_EXISTS',
    },
  },
}

export const ANNOUNCE_REPLY_EXAMPLES = {
  Listed: { publicId: 'AbCd123', listed: true, nextAnnounceSeconds: 30, features: { cloudAuth: false }, notices: [] },
  'Hidden by its owner': {
    publicId: 'AbCd123',
    listed: false,
    nextAnnounceSeconds: 30,
    features: { cloudAuth: false },
    notices: [{ code: 'HIDDEN', message: 'The server is set to hidden, so players do not see it on the public list.' }],
  },
}

export const NEW_SERVER_BODIES = {
  'A name is enough': { name: 'My Town' },
  'With a listing': { name: 'My Town', language: 'en', region: 'eu-west', tags: ['friendly'] },
}
