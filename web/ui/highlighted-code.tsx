import { type CodeLanguage, highlight } from './highlight.ts'

/** Classes, because the content security policy allows no inline styles. Other tokens have the colour of the text. */
const COLOURS: Readonly<Record<string, string>> = {
  keyword: 'text-(--hue-violet)',
  string: 'text-(--hue-green)',
  class: 'text-(--hue-amber)',
  property: 'text-(--hue-blue)',
  entity: 'text-(--hue-blue)',
  comment: 'text-ink-3',
  sign: 'text-ink-2',
}

export interface CodeProps {
  text: string
  language: CodeLanguage
}

export function HighlightedCode({ text, language }: CodeProps) {
  return highlight(text, language).map((token, index) => (
    <span key={index} className={COLOURS[token.type]}>
      {token.text}
    </span>
  ))
}
