/** A table that is asked for names from the code of an app: `toString` and `constructor` are no rows of it. */
export function table<Row>(rows: Record<string, Row>): Readonly<Record<string, Row>> {
  return Object.setPrototypeOf(rows, null)
}
