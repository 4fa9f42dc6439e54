import { Document, Scalar, visit } from 'yaml'

/** Long lines are not folded, and texts of several lines stand as they are. */
const STYLE = { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false } as const

/**
 * Values as YAML, which reads as the same values.
 *
 * @param below names of fields whose text stands below `|-`, also where it is one line
 */
export function formatYaml(value: object, below: readonly string[] = []): string {
  const document = new Document(value, STYLE)
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isText(value) && below.includes(String((key as Scalar).value))) value.type = Scalar.BLOCK_LITERAL
    },
    // A block of nothing but white space would read as less of it.
    Scalar: (_, scalar) => {
      if (isText(scalar) && !/\S/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString(STYLE)
}

const isText = (node: unknown): node is Scalar<string> => node instanceof Scalar && typeof node.value === 'string'
