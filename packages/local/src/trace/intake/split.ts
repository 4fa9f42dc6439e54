import { endOfText } from '../../json-text.ts'
import { Cursor } from './wire.ts'

// A span is kept as it came: a request of its own, with the resource and the scope of the one that brought it.

/** The requests of one span each, in the order of `spansOf`, with the text of the JSON that was sent. */
export function splitJson(text: string): string[] {
  let at = 0
  const space = () => {
    while (SPACE.has(text[at] ?? '')) at += 1
  }
  /** Takes what stands between two brackets. */
  const within = (member: (key: string) => void) => {
    const hasKeys = text[at] === '{'
    for (at += 1, space(); text[at] !== '}' && text[at] !== ']'; space()) {
      const key = hasKeys ? String(JSON.parse(value())) : ''
      if (hasKeys) at = text.indexOf(':', at) + 1
      space()
      member(key)
      space()
      if (text[at] === ',') at += 1
    }
    at += 1
  }
  const value = (): string => {
    const from = at
    let depth = 0
    do {
      const character = text[at] ?? ''
      if (character === '"') at = endOfText(text, at)
      else if (character === '{' || character === '[') depth += 1
      else if (character === '}' || character === ']') depth -= 1
      else if (depth === 0) while (/[\w.+-]/.test(text[at + 1] ?? '')) at += 1
      at += 1
    } while (depth > 0)
    return text.slice(from, at)
  }
  const list = <Item>(item: () => Item): Item[] => {
    const items: Item[] = []
    if (text[at] === '[') within(() => items.push(item()))
    else value()
    return items
  }
  /** An object: the texts of its members, and the items of one of them. */
  const around = <Item>(name: string, item: () => Item) => {
    const others: string[] = []
    let items: Item[] = []
    if (text[at] !== '{') value()
    else
      within((key) => {
        if (key === name) items = list(item)
        else others.push(`${JSON.stringify(key)}:${value()},`)
      })
    return { others: others.join(''), items }
  }
  space()
  const { items } = around('resourceSpans', () => around('scopeSpans', () => around('spans', value)))
  return items.flatMap((resource) =>
    resource.items.flatMap((scope) =>
      scope.items.map((span) => {
        const scopeSpans = `{${scope.others}"spans":[${span}]}`
        return `{"resourceSpans":[{${resource.others}"scopeSpans":[${scopeSpans}]}]}`
      }),
    ),
  )
}

const SPACE = new Set([' ', '\n', '\r', '\t'])

/** Numbers of the fields `resourceSpans`, `scopeSpans` and `spans`, each in the message before. */
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2

/** The requests of one span each, in the order of `spansOf`, with the bytes of the protobuf that was sent. */
export function splitMessage(bytes: Buffer): Buffer[] {
  return around(bytes, RESOURCE_SPANS).items.flatMap((resourceSpans) => {
    const resource = around(resourceSpans, SCOPE_SPANS)
    return resource.items.flatMap((scopeSpans) => {
      const scope = around(scopeSpans, SPANS)
      return scope.items.map((span) => {
        const scopeOfOne = framed(SCOPE_SPANS, [...scope.others, ...framed(SPANS, [span])])
        return Buffer.concat(framed(RESOURCE_SPANS, [...resource.others, ...scopeOfOne]))
      })
    })
  })
}

/** A message: the bytes of its fields, and the messages of one of them. */
function around(bytes: Buffer, field: number) {
  const cursor = new Cursor(bytes)
  const [others, items]: [Buffer[], Buffer[]] = [[], []]
  while (!cursor.done) {
    const from = cursor.at
    const tag = cursor.size()
    if (tag === tagOf(field)) items.push(cursor.buffer())
    else {
      cursor.skip(tag % 8)
      others.push(bytes.subarray(from, cursor.at))
    }
  }
  return { others, items }
}

const tagOf = (field: number): number => field * 8 + 2

/** A field that is a message, in parts. */
function framed(field: number, parts: readonly Buffer[]): Buffer[] {
  let length = 0
  for (const part of parts) length += part.length
  const head = [tagOf(field)]
  for (; length >= 128; length = Math.floor(length / 128)) head.push((length % 128) + 128)
  return [Buffer.from([...head, length]), ...parts]
}
