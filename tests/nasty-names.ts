/** 200 names that break layouts, markup or fonts. Validation rejects some of them, but whatever draws a name must survive all. */

const PARTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&amp;&lt;&#0;',
  ']]></svg>',
  '${name} {{name}} %s',
  '\u202Egnihton\u202C',
  '\u2066\u2067mixed\u2069\u2069',
  '\u200B\u200C\u200D\u2060\uFEFF',
  '\u0000\u0007\u001B[31m',
  'line\nbreak\ttab\u2028',
  '🔥'.repeat(64),
  '👩🏽‍🚀👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🇩🇪1️⃣',
  '中文服务器生存与冒险',
  '繁體中文伺服器',
  '日本語サーバー｜みんなで遊ぼう',
  '한국 서버 함께 놀아요',
  'ᄀ'.repeat(40),
  'خادم عربي للعب الأدوار RP 24/7',
  'שרת ישראלי (2026)',
  'سرور فارسی\u200Cها',
  'เซิร์ฟเวอร์ไทยสุดยอด',
  'हिन्दी सर्वर क्षत्रिय',
  'தமிழ் සිංහල ქართული አማርኛ ᏣᎳᎩ',
  'Z\u0351\u036Ba\u0321\u0489\u0334l\u0328\u0337g\u0348o\u035C\u0360'.repeat(8),
  '\u0301\u0302\u0303',
  '𝕳𝖊𝖑𝖑𝖔 𝓦𝓸𝓻𝓵𝓭 ᴍᴜsᴛᴇʀ Ⓐ①',
  '﷽﷽﷽',
  'ﬁﬂﬀ ŁÓDŹ ẞßſ İıĞ',
  'W'.repeat(64),
  'i'.repeat(64),
  'Pneumonoultramicroscopicsilicovolcanoconiosis 45 letters and more',
  '… ——— ▓▒░ ★☆ ♥ → ꧁꧂',
  '\uD800\uDFFF',
  '\u3164\u2800\u115F',
  '   ',
  '',
] as const

const TOTAL = 200

/** Each part alone, then pairs of parts. */
export const NASTY_NAMES: readonly string[] = [
  ...PARTS,
  ...Array.from({ length: TOTAL - PARTS.length }, (_, index) => {
    const first = PARTS[index % PARTS.length] ?? ''
    const second = PARTS[(index * 7 + 5) % PARTS.length] ?? ''
    return Array.from(`${first} ${second}`).slice(0, 64).join('')
  }),
]

/** Every eighth name, or all of them at full size. */
export function sampleOf(names: readonly string[]): readonly string[] {
  return process.env.MUSTER_FULL === undefined ? names.filter((_, index) => index % 8 === 0) : names
}
