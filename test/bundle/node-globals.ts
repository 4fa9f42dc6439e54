import { parseSync, Visitor } from 'vite'

// Not `global`: OpenTelemetry asks for its type where there is no globalThis, and that is fine anywhere.
const NODE_GLOBALS = new Set(['Buffer', 'process', 'require', '__dirname', '__filename', 'setImmediate'])

/** The globals of Node that a script names, other than as a property of something. */
export function nodeGlobalsIn(code: string): string[] {
  const properties = new Set<number>()
  const named: { readonly name: string; readonly start: number }[] = []
  new Visitor({
    MemberExpression: ({ computed, property }) => {
      if (!computed) properties.add(property.start)
    },
    Property: ({ computed, shorthand, key }) => {
      if (!computed && !shorthand) properties.add(key.start)
    },
    Identifier: ({ name, start }) => {
      if (NODE_GLOBALS.has(name)) named.push({ name, start })
    },
  }).visit(parseSync('bundle.js', code).program)
  return [...new Set(named.filter(({ start }) => !properties.has(start)).map(({ name }) => name))]
}
