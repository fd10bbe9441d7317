import { expect, test } from 'vitest'
import type { Failure } from '../../src/failure.ts'
import { requirePlainLetters, skeletonsOf } from '../../src/partners/similar-names.ts'

function problemsOf(texts: { name?: string; purpose?: string }) {
  try {
    requirePlainLetters(texts)
    return {}
  } catch (error) {
    return (error as Failure).errors!
  }
}

const problemOf = (name: string) => problemsOf({ name })['name']?.[0]

test.each([
  'Mabuhay Hotels Incorporated',
  'Bangko ng Peñaranda, Inc. (№ 7) – “Tiwala” & Sons ™ 2ª',
  'Ngân hàng Ngoại thương Việt Nam',
  'Σύλλογος Φιλιππινέζων 1998',
  'Газпромбанк',
  '中国銀行 Manila',
  '三井住友フィナンシャルグループ',
  '하나은행 Hana Bank',
  'ธนาคารกรุงไทย',
  'ᜊᜌ᜔ᜊᜌᜒᜈ᜔',
])('%s is accepted, also decomposed', (name) => {
  expect([problemOf(name), problemOf(name.normalize('NFD'))]).toEqual([undefined, undefined])
})

test.each([
  ['ВDO Unibank', 'several scripts'],
  ['Μabuhay Hotels', 'several scripts'],
  ['Mabuhay Hotels ԁ', 'several scripts'],
  ['銀行 Банк', 'several scripts'],
  ['Ꮇabuhay', 'several scripts'],
  ['𝐌abuhay', 'special form'],
  ['Ｍabuhay', 'special form'],
  ['Mabuhay ２', 'special form'],
  ['ﬁnance', 'special form'],
  [`Mabuhay${'\u0301'.repeat(190)}`, 'combining marks'],
  ['M\u0323\u0302\u0304\u0301abuhay', 'combining marks'],
])('%s is refused: %s', (name, problem) => {
  expect(problemOf(name)).toContain(problem)
})

test('each field that is wrong is named', () => {
  const problems = problemsOf({ name: 'Mаbuhay', purpose: 'To register уou' })
  expect(Object.keys(problems)).toEqual(['name', 'purpose'])
})

const areSimilar = (name: string, other: string) =>
  skeletonsOf(name).some((skeleton) => skeletonsOf(other).includes(skeleton))

test.each([
  ['BDO Unibank', 'BDO Unibank'],
  ['BDO Unibank', 'bdo unibank'],
  ['BDO Unibank', 'BD0 Unibank'],
  ['BDO Unibank', 'B.D.O. Uni-Bank'],
  ['BPI', 'ВРІ'],
  ['BPI', 'bpl'],
  ['BPI', 'Ⓑⓟⓘ'],
  ['Mabuhay Hotels', 'Mabuhay Hoteļs'],
  ['Mabuhay', 'Mabuhaỷ'],
  ['modern', 'rnodern'],
])('%s and %s look alike', (name, other) => expect(areSimilar(name, other)).toBe(true))

test.each([
  ['BDO Unibank', 'BPI Unibank'],
  ['Mabuhay Hotels', 'Mabuhay Hostels'],
])('%s and %s do not', (name, other) => expect(areSimilar(name, other)).toBe(false))
