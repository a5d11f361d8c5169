/** The form in which searches compare texts, in the panel and on the list. */

/** Each plain letter with those that differ from it by a stroke, hook or tail, which Unicode normalization keeps. */
const ALTERED =
  'aᶏⱥ bƀƃɓᵬᶀ cƈȼɕꞔ dđƌȡɖɗᵭᶁᶑꟈ eɇᶒⱸ fƒᵮᶂꞙ gǥɠᶃꞡ hħɦⱨꞕ iıɨᶖ jɉʝ kƙᶄⱪꝁꝃꝅꞣĸ lłƚȴɫɬɭᶅⱡꝉꞎꬷꬸꬹ mɱᵯᶆꬺ nƞȵɲɳᵰᶇꞑꞥꬻ oøⱺꝋꝍɵ ' +
  'pƥᵱᵽᶈꝑꝓꝕ qɋʠꝗꝙ rɍɼɽɾᵲᵳᶉꞧꭉ sȿʂᵴᶊꞩꟊ tŧƫƭȶʈᵵⱦ uᶙꞹꭎꭒ vⱱⱴꝟ wⱳ xᶍꭖꭗꭘꭙ yƴɏỿꭚ zƶȥɀʐʑᵶᶎⱬ ' +
  'иҋ рҏ гґғҕӷӻ жҗ зҙ кқҝҟӄ нңӈӊԣԩ пҧԥ сҫ тҭꚋ үұ хҳӽӿ чҷҹ лӆԓԡԯ мӎ һԧ'

/** By lower-case letter. */
export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  ALTERED.split(' ').flatMap(([plain = '', ...others]) => others.map((letter): [string, string] => [letter, plain])),
)

/** Letters that searchers type as others. */
const TYPED_AS = new Map([...PLAIN_LETTERS, ['ß', 'ss'], ['æ', 'ae'], ['œ', 'oe'], ['þ', 'th'], ['ð', 'd'], ['ς', 'σ']])

/** Accents and joiners belong to no script. Vowel signs do, and stay. */
const ACCENTS = /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}]/gu

const IS_ASCII = /^[\0-\x7f]*$/

/** Letter case, accents, width and extra spaces don't matter. Empty if nothing is left to search for. */
export function searchKey(text: string): string {
  const lower = text.toLowerCase()
  return (IS_ASCII.test(lower) ? lower : foldLetters(lower)).trim().replaceAll(/\s+/g, ' ')
}

function foldLetters(text: string): string {
  // Lower case once more, because normalization yields capitals of mathematical letters.
  const letters = text.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase()
  return IS_ASCII.test(letters) ? letters : Array.from(letters, (letter) => TYPED_AS.get(letter) ?? letter).join('')
}
