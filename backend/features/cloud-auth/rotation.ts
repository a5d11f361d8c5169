/** The life of the keys that tickets are signed with: made, published, an hour later used, replaced, and a day later gone. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { deleteKeys, insertKey, listKeys, lockKeys } from './cloud-auth.queries.ts'

const DAY = 86_400
/** Seconds after which a key is followed by a new one. */
const NEXT_AFTER = 30 * DAY
/** Seconds for which a key is only published: until then every reader of the public keys has read it. */
const UNUSED_FOR = 3600
/** Seconds for which a key that signs no more can still be found. */
const LEAVES_AFTER = DAY

/** Which key signs: the newest that everybody has had time to read; before there is one, the oldest. @param keys the newest first. */
export function signerOf<K extends { readonly age: number }>(keys: readonly K[]): K | undefined {
  return keys.find((key) => key.age >= UNUSED_FOR) ?? keys.at(-1)
}

/** Makes the next key where it is due and takes away those whose time is over. With any number of nodes, once. */
export async function rotateKeys({ db }: { readonly db: Db }): Promise<void> {
  // Outside of the transaction: others wait for it.
  const next = await newKey()
  await transaction(db, async (trx) => {
    await lockKeys(trx)
    const keys = await listKeys(trx)
    const newest = keys[0]
    // A key signs until the one after it may.
    const over = keys.filter((_key, index) => (keys[index - 1]?.age ?? 0) > UNUSED_FOR + LEAVES_AFTER)
    await deleteKeys(
      trx,
      over.map(({ kid }) => kid),
    )
    if (newest === undefined || newest.age >= NEXT_AFTER) await insertKey(trx, next)
  })
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const shared = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(shared)
  return { kid, publicJwk: { ...shared, kid, alg: 'ES256', use: 'sig' }, privateJwk: await exportJWK(privateKey) }
}
