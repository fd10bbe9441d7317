// The faults of the stress tests, which run seldom: each text to replace must still be in its file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { READ_THEN_WRITE_FAULTS, REFUSED_REQUESTS, REFUSED_STARTS } from '../../stress/faults.ts'

test.each([...REFUSED_STARTS, ...REFUSED_REQUESTS, ...READ_THEN_WRITE_FAULTS])(
  '$file: $from',
  ({ file, from }) => {
    const text = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8')
    expect(text.split(from), `${file} contains the text ${from} once`).toHaveLength(2)
  },
)
