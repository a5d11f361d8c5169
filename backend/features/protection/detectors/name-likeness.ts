/**
 * Whether a player could take one name for another. Names are compared by the key under which lookalike letters are one
 * (`servers/name-key.ts`), word by word: one mistyped letter in a long word is hardly seen, while two short words that differ in one letter
 * (Lost, Last) are two words.
 */
import { nameKey } from '#backend/features/servers/name-key.ts'

/** Digits and signs that stand for letters inside of words. What nameKey folds already (0, 1, |) is not here. */
const STAND_INS: Readonly<Record<string, string>> = { '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', $: 's', '@': 'a' }

/** Words that say nothing about whose server it is. Folded like names, so that `official` is found as it looks. */
const EMPTY_WORDS = new Set(
  [
    'official,original,real,true,only,main,new,neu,next,reborn,remastered,reloaded,returns,back,again,online,live,server,servers,game,games,network,community',
    'the,der,die,das,le,la,of,on,and,by,for,rp,roleplay,role,play,hardrp,beta,test,dev,staff,support,discord,join,free,best,no,top,number',
    'eu,us,uk,de,en,fr,ru,pl,es,br,pt,tr,it,cz,europe,germany,deutschland,ger,eng,rus,i,ii,iii,iv,v,x,xl,hd,pro,plus,vip,reallife,rl',
  ].flatMap((line) => line.split(',').map((word) => nameKey(word))),
)

/** Shorter, and nobody can say what is close to it. */
const SHORTEST = 4
const NUMBER = /^\p{N}+$/u

export interface ComparedName {
  /** All letters and digits in a row, so that spaces and signs make no other name. */
  readonly compact: string
  /** The words that say whose server it is; all of them where none does. */
  readonly words: readonly string[]
  /** The same without numbers. */
  readonly plain: readonly string[]
}

/** Prepares a name for `areAlike`. */
export function compared(name: string): ComparedName {
  const all = wordsOf(name)
  const telling = all.filter((word) => !EMPTY_WORDS.has(word))
  const plain = telling.filter((word) => !isNumber(word))
  const isTelling = plain.join('').length >= SHORTEST
  return { compact: all.join(''), words: isTelling ? telling : all, plain: isTelling ? plain : all }
}

/** Whether `name` can be taken for `known`: some letters wrong, other spaces and signs, or a little more such as "official" or "2". */
export function areAlike(name: ComparedName, known: ComparedName): boolean {
  if (name.compact.length >= SHORTEST && name.compact === known.compact) return true
  return areClose(name.words, known.words) || areClose(name.plain, known.words)
}

function wordsOf(name: string): string[] {
  return nameKey(name)
    .split(/[^\p{L}\p{N}$@]+/u)
    .filter((word) => word !== '')
    .map((word) => (/\p{L}/u.test(word) ? Array.from(word, (letter) => STAND_INS[letter] ?? letter).join('') : word))
}

// nameKey writes 0 as o and 1 as l.
function isNumber(word: string): boolean {
  return NUMBER.test(word.replaceAll('o', '0').replaceAll('l', '1')) && !/^[ol]{3,}$/.test(word)
}

function areClose(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.length > 0 && a.every((word, at) => isClose(word, b[at] ?? ''))
}

/** Up to 3 letters: the same. Up to 5: one letter more or less, or two swapped. Longer: one wrong; from 10 on two. */
function isClose(a: string, b: string): boolean {
  if (a === b) return true
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter.length < SHORTEST || longer.length - shorter.length > 2 || isNumber(a) || isNumber(b)) return false
  const steps = distance(shorter, longer)
  if (shorter.length >= 10) return steps <= 2
  if (shorter.length >= 6) return steps <= 1
  return steps <= 1 && (shorter.length < longer.length || areSwapped(a, b))
}

function areSwapped(a: string, b: string): boolean {
  return Array.from(a).toSorted().join('') === Array.from(b).toSorted().join('')
}

/** How many letters are missing, extra, wrong or swapped with the next one. */
function distance(a: string, b: string): number {
  let older: number[] = []
  let old = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      let least = Math.min((old[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1, (old[column - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) least = Math.min(least, (older[column - 2] ?? 0) + 1)
      now.push(least)
    }
    older = old
    old = now
  }
  return old[b.length] ?? 0
}
