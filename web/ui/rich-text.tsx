import { Fragment, type ReactNode } from 'react'

type Tag = (text: string) => ReactNode

type Part =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: `markup-${'start' | 'end' | 'standalone'}`; readonly name: string }

interface RichMessage<Inputs, Markup> {
  (inputs: Inputs): string
  parts: (inputs: Inputs) => readonly Part[]
  readonly __paraglide?: { readonly markup: Markup }
}

type RichTextProps<Inputs, Markup> = {
  message: RichMessage<Inputs, Markup>
  tags: { readonly [Name in keyof Markup]: Tag }
} & (Record<never, never> extends Inputs ? { inputs?: Inputs } : { inputs: Inputs })

/** Renders a message with markup. `{#b}text{/b}` becomes `tags.b('text')`, and `{#b/}` becomes `tags.b('')`. Tags don't nest. */
export function RichText<Inputs, Markup>({ message, tags, inputs }: RichTextProps<Inputs, Markup>) {
  const nodes: ReactNode[] = []
  let inTag: string | undefined
  for (const part of message.parts(inputs ?? ({} as Inputs))) {
    if (part.type === 'markup-start') inTag = ''
    else if (part.type !== 'text') {
      nodes.push(tags[part.name as keyof Markup](inTag ?? ''))
      inTag = undefined
    } else if (inTag === undefined) nodes.push(part.value)
    else inTag += part.value
  }
  return nodes.map((node, index) => <Fragment key={index}>{node}</Fragment>)
}
