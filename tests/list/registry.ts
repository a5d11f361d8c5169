/** Fixtures for tests of the registry and the list. */
import { hash } from 'node:crypto'
import { LIST_FIELDS, type ListFields } from '#contract/servers/server-field-shapes.ts'
import { NO_FINDING_NOTICES } from '#backend/core/protection/enforcement.ts'
import {
  type AnnouncedState,
  type LiveCredential,
  NEVER_ANNOUNCED,
  type OwnerFields,
  NO_COSMETICS,
} from '#backend/masterlist/registry/server-record.ts'

export const announced: AnnouncedState = {
  ...NEVER_ANNOUNCED,
  port: 7788,
  playersCount: 1,
  maxPlayersCount: 4096,
  version: '1',
  branch: 'release',
}

export function fieldsOf(publicId: string, overrides: Partial<OwnerFields> = {}): OwnerFields {
  return {
    publicId,
    ownerId: 'o',
    ...(Object.fromEntries(LIST_FIELDS.map(({ name, initial }) => [name, initial ?? ''])) as ListFields),
    name: publicId,
    language: 'en',
    cosmetics: NO_COSMETICS,
    verified: false,
    ban: undefined,
    ownerBan: undefined,
    hiddenAt: undefined,
    addressPolicy: 'bound',
    proof: undefined,
    enforcement: { isUnlisted: false, isUnranked: false, arePlayersUnconfirmed: false, cause: undefined },
    findingNotices: NO_FINDING_NOTICES,
    cloudAuth: false,
    createdAt: 0,
    updatedAt: 0,
    ...overrides,
  }
}

/** A public address of its own for each server. */
export function addressOf(publicId: string): string {
  const [a, b, c] = hash('sha256', publicId, 'buffer')
  return `51.${a}.${b}.${c}`
}

export function credentialOf(publicId: string, overrides: Partial<LiveCredential> = {}): LiveCredential {
  return {
    id: `c-${publicId}`,
    key: publicId,
    publicId,
    server: undefined,
    issuedAt: 0,
    graceUntil: undefined,
    bound: { ipv4: addressOf(publicId) },
    lastUsedAt: 0,
    ...overrides,
  }
}
