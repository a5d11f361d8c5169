/** A name of this machine that has both 127.0.0.1 and ::1. */
import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import type { Family } from '../types.ts'

export const LOOPBACK: Readonly<Record<Family, string>> = { 4: '127.0.0.1', 6: '::1' }

/** Undefined if there is none. */
export async function dualStackName(): Promise<string | undefined> {
  for (const name of ['localhost', hostname()]) {
    const addresses = await lookup(name, { all: true }).catch(() => [])
    if (Object.values(LOOPBACK).every((loopback) => addresses.some(({ address }) => address === loopback))) return name
  }
  return undefined
}
