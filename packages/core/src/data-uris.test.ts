import { describe, expect, it } from 'vitest'
import { dataUrisIn } from './data-uris.ts'

const found = (text: string) =>
  dataUrisIn(text).map(({ start, end, contentType }) => `${contentType} ${text.slice(start, end)}`)

describe('data URIs in a text are found:', () => {
  it.each<[text: string, uris: string[]]>([
    ['data:image/png;base64,AAAA', ['image/png data:image/png;base64,AAAA']],
    ['{"url":"data:image/png;base64,AAAA="}', ['image/png data:image/png;base64,AAAA']],
    ['{"url":"data:image/png;base64,AAA="}', ['image/png data:image/png;base64,AAA=']],
    ['x data:a/b;base64,AAAA y data:c/d;base64,BBBB', ['a/b data:a/b;base64,AAAA', 'c/d data:c/d;base64,BBBB']],
    // A plain `data:` earlier in the text must not be glued to the URI (upstream-js PR 872).
    ['see data: {"a":1}, then data:image/png;base64,AAAA', ['image/png data:image/png;base64,AAAA']],
    ['data:text/plain,hello;base64,AAAA', []],
    ['data: x, y;base64,AAAA', []],
    // Media-type parameters (PR 837).
    ['data:text/plain;charset=utf-8;base64,SGVsbG8=', ['text/plain data:text/plain;charset=utf-8;base64,SGVsbG8=']],
    ['data:a/b;x=1;y=2;base64,AAAA', ['a/b data:a/b;x=1;y=2;base64,AAAA']],
    ['data:a/b;name=a@b.c;base64,AAAA', ['a/b data:a/b;name=a@b.c;base64,AAAA']],
    // What is left of a name with a redacted address.
    ['data:a/b;name=[email:3f2a].pdf;base64,AAAA', ['a/b data:a/b;name=[email:3f2a].pdf;base64,AAAA']],
    // URL-safe base64 (PR 941).
    ['data:image/png;base64,-_8=', ['image/png data:image/png;base64,-_8=']],
    ['data:image/png;base64,+/8=-tail', ['image/png data:image/png;base64,+/8=']],
    ['data:image/svg+xml;base64,AAAA', ['image/svg+xml data:image/svg+xml;base64,AAAA']],
    ['data:IMAGE/PNG;base64,AAAA', ['image/png data:IMAGE/PNG;base64,AAAA']],
    ['data:;base64,AAAA', ['text/plain data:;base64,AAAA']],
    ['data:image/png;base64,', []],
    ['data:image/png;base64,A', []],
    [';base64,AAAA', []],
    ['data:image/png,AAAA', []],
    ['data:image/png;base64,AAAA;base64,BBBB', ['image/png data:image/png;base64,AAAA']],
  ])('%s: %j', (text, uris) => {
    expect(found(text)).toEqual(uris)
  })

  const line = 'QUJD'.repeat(19)
  it.each<[what: string, text: string, end: string]>([
    ['lines of an encoder', `data:a/b;base64,${line}\r\n${line}\r\nQUI=\r\nand on`, '\r\nand on'],
    ['lines in JSON', String.raw`data:a/b;base64,${line}\n${line}\nQQ"}`, '"}'],
    ['lines in JSON in JSON', String.raw`data:a/b;base64,${line}\\r\\n${line}\\n\"}`, String.raw`\\n\"}`],
    ['lines with indentation', `data:a/b;base64,\n  ${line}\n  ${line}\nThat is all.`, '\nThat is all.'],
    ['two parts that are no multiples of four', `data:a/b;base64,${line}Q\n${line}UI=)`, ')'],
    ['a word in the next line', 'data:a/b;base64,QUJD\nThanks', '\nThanks'],
    ['a word after a long line', `data:a/b;base64,${line.repeat(9)}\nThanks`, '\nThanks'],
    ['a path in the next line', `data:a/b;base64,${line}\n/home/user/file.png`, '\n/home/user/file.png'],
    ['capitals', `DATA:a/b;BASE64,${line} x`, ' x'],
  ])('whole: %s', (_, text, end) => {
    expect(found(text)).toEqual([`a/b ${text.slice(0, text.length - end.length)}`])
    const [uri] = dataUrisIn(text)
    expect(Buffer.from(uri?.base64 ?? '', 'base64').toString()).toMatch(/^(ABC)+/)
  })

  it('or left whole, where its lines cannot be decoded', () => {
    expect(found(`data:a/b;base64,${line}\n${line}Q`)).toEqual([])
  })
})
