import { parseExpression } from '@babel/parser'
import type { Expression, ObjectProperty } from '@babel/types'

/** A property of a JSON object, with its position in the text. */
export interface JsonProperty {
  readonly name: string
  readonly key: { readonly start: number; readonly end: number }
  readonly value: Expression
  readonly start: number
  readonly end: number
}

/** Parses JSON with comments and trailing commas, as in tsconfig.json; undefined if it does not parse. */
export function jsonOf(text: string): Expression | undefined {
  try {
    // A byte order mark counts as white space, so offsets stay correct.
    return parseExpression(text)
  } catch {
    return undefined
  }
}

export function propertiesOf(node: Expression | undefined): JsonProperty[] {
  if (node?.type !== 'ObjectExpression') return []
  return node.properties.flatMap((each): JsonProperty[] => {
    if (each.type !== 'ObjectProperty' || each.key.type !== 'StringLiteral') return []
    const { key, value, start, end } = each as ObjectProperty & { key: { value: string } }
    const place = { start: key.start ?? 0, end: key.end ?? 0 }
    return [{ name: key.value, key: place, value: value as Expression, start: start ?? 0, end: end ?? 0 }]
  })
}

export function valueOfJson(text: string): unknown {
  const node = jsonOf(text)
  return node && plain(node)
}

function plain(node: Expression): unknown {
  switch (node.type) {
    case 'ObjectExpression':
      return Object.fromEntries(propertiesOf(node).map(({ name, value }) => [name, plain(value)]))
    case 'ArrayExpression':
      return node.elements.map((each) => plain(each as Expression))
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value
    default:
      return undefined
  }
}
