/** How many players a simulated server has, and how they come and go. */
import type { Profile } from './profiles.ts'
import type { Random } from './random.ts'

/** Few at five in the morning where its players live, most at nine in the evening. @param now wall milliseconds. */
export function expectedPlayers({ zone, peak }: Pick<Profile, 'zone' | 'peak'>, now: number): number {
  const hour = (now / 3_600_000 + zone) % 24
  const wave = 0.5 + 0.5 * Math.cos(((hour - 21) / 24) * 2 * Math.PI)
  return peak * (0.15 + 0.85 * wave ** 1.5)
}

/** From one announce to the next some of them come or go. */
export function movedPlayers(players: number, profile: Pick<Profile, 'zone' | 'peak' | 'slots'>, now: number, random: Random): number {
  const gap = expectedPlayers(profile, now) - players
  const drift = gap * random.between(0.05, 0.25)
  const noise = (random.next() + random.next() - 1) * Math.sqrt(players + 1)
  return Math.min(profile.slots, Math.max(0, Math.round(players + drift + noise)))
}
