import { Document, Scalar, visit } from 'yaml'

/** No folding of long lines, literal blocks for multi-line text. */
const STYLE = { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false } as const

/**
 * Formats values as YAML that parses to the same values.
 *
 * @param below names of fields whose text is written below `|-`, also if it is one line
 */
export function formatYaml(value: object, below: readonly string[] = []): string {
  const document = new Document(value, STYLE)
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isText(value) && below.includes(String((key as Scalar).value))) value.type = Scalar.BLOCK_LITERAL
    },
    // A block of only white space would lose some of it.
    Scalar: (_, scalar) => {
      if (isText(scalar) && !/\S/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString(STYLE)
}

const isText = (node: unknown): node is Scalar<string> => node instanceof Scalar && typeof node.value === 'string'
