import { find, nameOf, resolve, targetOf } from '@tiwala/contract/references'
import { expect, test } from 'vitest'

const document = {
  paths: { '/things/{id}': { get: { summary: 'One' } } },
  components: {
    schemas: {
      Thing: { type: 'object', description: 'A thing.' },
      Alias: { $ref: '#/components/schemas/Thing' },
      Loop: { $ref: '#/components/schemas/Pool' },
      Pool: { $ref: '#/components/schemas/Loop', description: 'Beside it.' },
    },
  },
}
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('a reference leads through others to what has none, and fields beside it replace those of its target', () => {
  expect(resolve(document, { ...to('Alias'), description: 'Mine.' })).toEqual({
    type: 'object',
    description: 'Mine.',
  })
  expect(resolve(document, document.components.schemas.Thing)).toBe(document.components.schemas.Thing)
})

test('names of a JSON pointer are unescaped', () => {
  expect(targetOf(document, '#/paths/~1things~1%7Bid%7D/get')).toEqual({ summary: 'One' })
  expect(nameOf('#/paths/~1things')).toBe('/things')
})

test.each(['Nothing', 'Loop', 'constructor', '%FF'])('a reference to %s finds nothing', (name) => {
  expect(find(document, to(name))).toBeUndefined()
  expect(() => resolve(document, to(name))).toThrow(`${to(name).$ref} does not exist, or leads to itself`)
})
