/** Splits code into coloured parts. */
import { type ParseOptions, SugarHigh, tokenize } from 'sugar-high/core'
import * as cpp from 'sugar-high/lang/cpp'
import * as csharp from 'sugar-high/lang/csharp'
import * as go from 'sugar-high/lang/go'
import * as html from 'sugar-high/lang/html'
import * as java from 'sugar-high/lang/java'
import * as javascript from 'sugar-high/lang/javascript'
import * as lua from 'sugar-high/lang/lua'
import * as php from 'sugar-high/lang/php'
import * as python from 'sugar-high/lang/python'
import * as rust from 'sugar-high/lang/rust'
import * as shell from 'sugar-high/lang/shell'
import * as toml from 'sugar-high/lang/toml'
import * as yaml from 'sugar-high/lang/yaml'

const LANGUAGES = {
  cpp,
  csharp,
  go,
  java,
  lua,
  php,
  python,
  // The library finds no comments in Rust. They are those of Go.
  rust: { ...rust, onCommentStart: go.onCommentStart, onCommentEnd: go.onCommentEnd },
  shell,
  toml,
  yaml,
  // Their types are narrower than the option.
  html: { tokenize: (code: string) => html.tokenize(code, undefined) },
  javascript: { tokenize: (code: string) => javascript.tokenize(code, undefined) },
} satisfies Record<string, ParseOptions>

export type CodeLanguage = keyof typeof LANGUAGES

/** Each token has a type: `keyword`, `string`, `comment`, … The texts of all together are the code. */
export function highlight(code: string, language: CodeLanguage) {
  return tokenize(code, LANGUAGES[language]).map(([type, text]) => ({ type: SugarHigh.TokenTypes[type] ?? '', text }))
}
