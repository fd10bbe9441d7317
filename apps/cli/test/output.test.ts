// The formats of `--output`, and the commands `whoami` and `completion`.
import { execFileSync } from 'node:child_process'
import { describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { createRowPrinter, type Output, printValue } from '../src/print-value.ts'
import { createPartner, tiwala, tiwalaJson } from './tiwala.ts'

const HOSTILE = {
  name: 'a "quoted", name',
  bidi: 'x\u{202e}y\u{0}',
  lines: 'one\ntwo',
  formula: '=HYPERLINK("http://x")',
  word: 'true',
  number: '0012',
  negative: -3,
  nothing: null,
  list: ['a', 'b'],
  nested: { deep: [1] },
}

/** What a function prints. */
async function printed(act: (io: Parameters<typeof printValue>[0]) => Promise<void>): Promise<string> {
  let text = ''
  await act({ stdout: { write: (part: string) => Boolean((text += part)) } } as never)
  return text
}

describe('--output', () => {
  test('--json is another name of --output json', async () => {
    const code = await createPartner()
    const json = await tiwala(['partner', 'show', code, '--output', 'json'])
    expect(await tiwala(['partner', 'show', code, '--json'])).toEqual(json)
    expect(parse((await tiwala(['partner', 'show', code, '--output', 'yaml'])).stdout)).toEqual(
      JSON.parse(json.stdout),
    )
  })

  test.each<Exclude<Output, 'table'>>(['json', 'yaml'])('%s keeps every value', async (output) => {
    const text = await printed((io) => printValue(io, output, HOSTILE))
    expect(output === 'json' ? JSON.parse(text) : parse(text)).toEqual(HOSTILE)
    expect(['\u{202e}', '\u{0}'].filter((character) => text.includes(character))).toEqual([])
  })

  test('csv has a heading, and quotes; a spreadsheet finds no formula', async () => {
    const text = await printed((io) => printValue(io, 'csv', HOSTILE))
    expect(text.split('\r\n')).toEqual([
      'name,bidi,lines,formula,word,number,negative,nothing,list,nested',
      '"a ""quoted"", name",x\\u202ey\\u0000,"one\ntwo","\'=HYPERLINK(""http://x"")",true,0012,-3,,' +
        '"[""a"",""b""]","{""deep"":[1]}"',
      '',
    ])
  })

  test.each(['=', '+', '-', '@'])('csv: a cell that begins with %s is no formula', async (sign) => {
    expect(await printed((io) => printValue(io, 'csv', { a: `${sign}1+2` }))).toBe(`a\r\n'${sign}1+2\r\n`)
  })

  test('rows of several pages are one list', async () => {
    const pages = [[{ a: 1, b: 'x' }], [], [{ a: 2, b: 'y' }]]
    const print = (output: Output) =>
      printed(async (io) => {
        const printRows = createRowPrinter(io, output)
        for (const rows of pages) await printRows(rows)
      })
    expect(parse(await print('yaml'))).toEqual(pages.flat())
    expect(await print('csv')).toBe('a,b\r\n1,x\r\n2,y\r\n')
    expect(await print('json')).toBe('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n')
  })

  test('a list as csv and yaml, with --all and without', async () => {
    const code = await createPartner()
    const list = ['partner', 'list', '--q', code]
    const { partners } = (await tiwalaJson(...list)) as { partners: Record<string, unknown>[] }
    const heading = Object.keys(partners[0]!).join(',')
    for (const more of [[], ['--all']]) {
      const { stdout } = await tiwala([...list, ...more, '--output', 'csv'])
      const [first, row] = stdout.split('\r\n')
      expect([heading.startsWith(first!.slice(0, 20)), row!.startsWith(`${code},`)]).toEqual([true, true])
    }
    expect(parse((await tiwala([...list, '--all', '--output', 'yaml'])).stdout)).toEqual(partners)
  })

  test('exit code 2: another format', async () => {
    const { exitCode, stderr } = await tiwala(['partner', 'list', '--output', 'xml'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('table, json, yaml, csv')])
  })
})

describe('whoami', () => {
  test('shows subject, scopes and end of the token', async () => {
    expect(await tiwalaJson('whoami')).toEqual({
      operator_url: inject('operatorUrl'),
      subject: 'sandbox-operator',
      issuer: expect.any(String) as string,
      scopes: expect.arrayContaining(['partners:read', 'audit:read']) as string[],
      expires_at: expect.stringMatching(/Z$/) as string,
    })
    expect((await tiwala(['whoami'])).stdout).toMatch(/^subject +sandbox-operator$/m)
  })

  test('a token without a scope is accepted; one that the service refuses is not shown', async () => {
    const as = (TIWALA_OPERATOR_TOKEN: string) =>
      tiwala(['whoami'], { env: { TIWALA_OPERATOR_URL: inject('operatorUrl'), TIWALA_OPERATOR_TOKEN } })
    expect(await as(inject('scopelessToken'))).toMatchObject({ exitCode: 0, stderr: '' })
    const [header, payload] = inject('token').split('.')
    const forged = await as(`${header}.${payload}.AAAA`)
    expect([forged.exitCode, forged.stdout, forged.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('token_invalid'),
    ])
  })
})

describe('completion', () => {
  /** The words that bash offers for the last word of the command line. */
  async function complete(...words: string[]): Promise<string[]> {
    const { stdout } = await tiwala(['completion', 'bash'], { env: {} })
    const program = `${stdout}
COMP_WORDS=(tiwala ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _tiwala
printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n')
  }

  test('bash completes commands, their verbs and their options', async () => {
    expect(await complete('part')).toContain('partner')
    expect(await complete('partner', 'su')).toEqual(['suspend'])
    expect(await complete('partner', 'suspend', 'HOTEL', '--r')).toEqual(['--reason'])
    expect(await complete('partner', 'show', '--out')).toEqual(['--output'])
    expect(await complete('audit', 'exp')).toEqual(['export'])
  })

  test('zsh and fish have a script; exit code 2: another shell', async () => {
    expect((await tiwala(['completion', 'zsh'])).stdout).toContain('bashcompinit')
    expect((await tiwala(['completion', 'fish'])).stdout).toMatch(
      /^complete -c tiwala .*__fish_seen_subcommand_from partner; and .* suspend.*--reason/m,
    )
    expect((await tiwala(['completion', 'csh'])).exitCode).toBe(2)
  })
})
