import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { confirm, progressLine } from './terminal.ts'

describe('confirm', () => {
  it.each([
    ['y\n', true],
    ['Yes\n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
    ['', false],
  ])('takes the answer %j as %j', async (typed, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const answer = confirm('Change 2 files in .?', { input, output })
    input.end(typed)
    expect(await answer).toBe(expected)
    expect(output.read()?.toString()).toContain('Change 2 files in .? [y/N] ')
  })

  it('asks without what a terminal obeys', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const answer = confirm('Send to \u001b[2Jhttp://a\u202E?', { input, output })
    input.end('n\n')
    expect(await answer).toBe(false)
    expect(output.read()?.toString()).toContain('Send to [2Jhttp://a ? [y/N] ')
  })

  it('takes Ctrl-C and Ctrl-D as no', async () => {
    for (const key of ['\x03', '\x04']) {
      const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true, columns: 80 })]
      const answer = confirm('Change 2 files in .?', {
        input: Object.assign(input, { isTTY: true, setRawMode() {} }),
        output,
      })
      input.write(key)
      expect(await answer).toBe(false)
    }
  })
})

describe('the progress line', () => {
  const linesOn = (isTTY: boolean, after: number) => {
    const stream = Object.assign(new PassThrough(), { isTTY })
    const line = progressLine(stream, after)
    line.update(1, 3)
    line.update(2, 3)
    line.clear()
    return stream.read()?.toString()
  }

  it('is one line on a terminal, which is cleared at the end', () => {
    expect(linesOn(true, 0)).toBe('\r\x1b[2K1 of 3 files\r\x1b[2K2 of 3 files\r\x1b[2K')
  })

  it('is not printed outside of a terminal or on short runs', () => {
    expect(linesOn(false, 0)).toBeUndefined()
    expect(linesOn(true, 60_000)).toBeUndefined()
  })
})
