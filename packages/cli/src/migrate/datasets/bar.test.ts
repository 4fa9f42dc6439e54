import { expect, it } from 'vitest'
import { Bar, duration } from './bar.ts'

function setUp(isTTY: boolean, columns = 100) {
  const written: string[] = []
  let time = 0
  return {
    written,
    terminal: { isTTY, columns, write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
    now: () => time,
    wait: (ms: number) => {
      time += ms
    },
  }
}

it('progress on a terminal is a bar with the rate of this run and the time left', () => {
  const { written, terminal, now, wait } = setUp(true)
  const bar = new Bar('capitals', { total: 2_000, done: 1_000 }, terminal, now)
  for (let at = 0; at < 500; at++) {
    wait(10)
    bar.step()
  }
  const line = 'capitals [##################------] 75% 1,491/2,000 100/s 6 s left'
  expect(written.at(-1)).toBe(`\r\u001B[2K${line.replace('75%', '74%')}`)
  expect(written.length).toBeLessThan(60)
  bar.end()
  expect(written.at(-1)).toBe('\r\u001B[2K')
})

it('the progress bar fits the width of the terminal, in one line', () => {
  const { written, terminal, now, wait } = setUp(true, 40)
  const bar = new Bar('a\u001b[31m\nname', { total: 2 }, terminal, now)
  wait(1_000)
  bar.step()
  expect(written[0]).toHaveLength('\r\u001B[2K'.length + 39)
  expect(written[0]).toContain('a [31m name [')
})

it('the progress bar assumes 80 columns if the width is unknown', () => {
  const { written, terminal, now, wait } = setUp(true, 0)
  const bar = new Bar('capitals', { total: 2 }, terminal, now)
  wait(1_000)
  bar.step()
  expect(written[0]).toContain('50% 1/2 1/s 1 s left')
})

it('progress outside of a terminal is a line every 10 %', () => {
  const { written, terminal, now } = setUp(false)
  const bar = new Bar('capitals', { total: 20, done: 5 }, terminal, now)
  for (let at = 0; at < 15; at++) bar.step()
  bar.end()
  expect(written).toHaveLength(8)
  expect([written[0], written.at(-1)]).toEqual(['capitals: 30% (6 of 20)\n', 'capitals: 100% (20 of 20)\n'])
})

it.each([
  [7, '7 s'],
  [61, '2 min'],
  [3_600, '1 h 0 min'],
  [7_500, '2 h 5 min'],
])('a duration of %d seconds is written as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
