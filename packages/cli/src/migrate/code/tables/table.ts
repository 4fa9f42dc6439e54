/** Returns a table without prototype, so that lookups of names like `constructor` find nothing. */
export function table<Row>(rows: Record<string, Row>): Readonly<Record<string, Row>> {
  return Object.setPrototypeOf(rows, null)
}
