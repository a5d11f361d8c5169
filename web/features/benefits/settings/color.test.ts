import { expect, test } from 'vitest'
import { contrast, textColorOn, isColor } from './color.ts'

test('text is readable on every colour', () => {
  for (let r = 0; r < 256; r += 15)
    for (let g = 0; g < 256; g += 15)
      for (let b = 0; b < 256; b += 15) {
        const color = `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
        expect(contrast(textColorOn(color), color), color).toBeGreaterThanOrEqual(4.5)
      }
})

test('a colour is a # and six hexadecimal digits', () => {
  expect(['#3fa2e9', '#3FA2E9'].every(isColor)).toBe(true)
  expect(['3fa2e9', '#3fa', '#3fa2e9ff', '#ggggggg', ''].some(isColor)).toBe(false)
})
