const HUES = ['red', 'amber', 'green', 'teal', 'blue', 'indigo', 'violet', 'pink'] as const

/** The colour of a server without a picture: the same at every visit. */
export function serverHue(publicId: string): (typeof HUES)[number] {
  const sum = Array.from(publicId).reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return HUES[sum % HUES.length] ?? 'blue'
}
