import { Visitor } from 'vite'
import { expect, it } from 'vitest'
import { read, type Source, sources } from './repository.ts'

// What the packages say at level warn or error is a heading in the page for those who search for it, as far as the
// text stands at the call. A heading may stop before the end of the message; `…` stands for what varies.
const PAGE = 'docs/troubleshooting.md'

it('every warning and error has a heading in docs/troubleshooting.md', () => {
  const headings = [...read(PAGE).matchAll(/^### (.+)$/gm)].map(([, heading = '']) => pattern(heading))
  const reported = sources.filter(({ home }) => home !== 'local').flatMap(messages)
  expect(reported.length).toBeGreaterThan(10)
  expect(reported.filter((message) => !headings.some((heading) => heading.test(message)))).toEqual([])
})

function pattern(heading: string): RegExp {
  const parts = heading.replaceAll('`', '').split('…')
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w\s]/g, '\\$&')).join('.*')}`)
}

/** Messages of warnings and errors, and the texts of causes: objects of `kind` and `text`. */
function messages({ syntax, text }: Source): string[] {
  const found: string[] = []
  const constants = new Map<string, Node>()
  const add = (message: Node | undefined) => {
    const named = message && isA<{ name: string }>(message, 'Identifier') ? constants.get(message.name) : message
    const words = named ? skeleton(named).replaceAll('`', '') : ''
    // Below that it is put together elsewhere.
    if (words.replaceAll('…', '').length >= 16) found.push(words)
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
    },
  }).visit(syntax.program)
  new Visitor({
    CallExpression: ({ callee, arguments: args }) => {
      const speaker = text.slice(callee.start, callee.end)
      if (/^(log\.(warn|error)|warnOnce|report)$/.test(speaker)) add(args[0])
      if (speaker === 'log.once' && /warn|error/.test(text.slice(args[0]?.start, args[0]?.end))) add(args[1])
    },
    ObjectExpression: ({ properties }) => {
      const named = new Map(
        properties.flatMap((each) => (each.type === 'Property' ? [[nameOf(each.key), each.value]] : [])),
      )
      if (named.has('kind')) add(named.get('text'))
    },
  }).visit(syntax.program)
  return found
}

const nameOf = (key: Node): unknown => (isA<{ name: string }>(key, 'Identifier') ? key.name : undefined)

interface Node {
  readonly type: string
}

/** The text of an expression with `…` for what is not written there. */
function skeleton(node: Node): string {
  if (isA<{ value: unknown }>(node, 'Literal')) return String(node.value)
  if (isA<{ left: Node; right: Node }>(node, 'BinaryExpression')) return skeleton(node.left) + skeleton(node.right)
  if (isA<{ quasis: { value: { cooked: string } }[] }>(node, 'TemplateLiteral')) {
    return node.quasis.map(({ value }) => value.cooked).join('…')
  }
  return '…'
}

function isA<T>(node: Node, type: string): node is Node & T {
  return node.type === type
}
