/** The languages a server can be listed under: ISO 639-1, and `all` for a multilingual one (contract section 5). */

interface Language {
  readonly code: string
  readonly name: string
  readonly native_name: string
}

const TABLE = `
all|Multilingual|Multilingual
af|Afrikaans|Afrikaans
ar|Arabic|العربية
az|Azerbaijani|Azərbaycanca
be|Belarusian|Беларуская
bg|Bulgarian|Български
bn|Bengali|বাংলা
bs|Bosnian|Bosanski
ca|Catalan|Català
cs|Czech|Čeština
cy|Welsh|Cymraeg
da|Danish|Dansk
de|German|Deutsch
el|Greek|Ελληνικά
en|English|English
es|Spanish|Español
et|Estonian|Eesti
eu|Basque|Euskara
fa|Persian|فارسی
fi|Finnish|Suomi
fr|French|Français
ga|Irish|Gaeilge
gl|Galician|Galego
he|Hebrew|עברית
hi|Hindi|हिन्दी
hr|Croatian|Hrvatski
hu|Hungarian|Magyar
hy|Armenian|Հայերեն
id|Indonesian|Bahasa Indonesia
is|Icelandic|Íslenska
it|Italian|Italiano
ja|Japanese|日本語
ka|Georgian|ქართული
kk|Kazakh|Қазақша
ko|Korean|한국어
lb|Luxembourgish|Lëtzebuergesch
lt|Lithuanian|Lietuvių
lv|Latvian|Latviešu
mk|Macedonian|Македонски
mn|Mongolian|Монгол
ms|Malay|Bahasa Melayu
mt|Maltese|Malti
nb|Norwegian Bokmål|Norsk bokmål
nl|Dutch|Nederlands
nn|Norwegian Nynorsk|Norsk nynorsk
no|Norwegian|Norsk
pl|Polish|Polski
pt|Portuguese|Português
ro|Romanian|Română
ru|Russian|Русский
sk|Slovak|Slovenčina
sl|Slovenian|Slovenščina
sq|Albanian|Shqip
sr|Serbian|Српски
sv|Swedish|Svenska
sw|Swahili|Kiswahili
ta|Tamil|தமிழ்
th|Thai|ไทย
tl|Tagalog|Tagalog
tr|Turkish|Türkçe
uk|Ukrainian|Українська
ur|Urdu|اردو
uz|Uzbek|Oʻzbekcha
vi|Vietnamese|Tiếng Việt
zh|Chinese|中文
`

export const LANGUAGES: readonly Language[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [code = '', name = '', native_name = ''] = row.split('|')
    return { code, name, native_name }
  })

export const LANGUAGE_CODES: ReadonlySet<string> = new Set(LANGUAGES.map((language) => language.code))
