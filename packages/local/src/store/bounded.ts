import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { Refusal } from '../http/answer.ts'

type Row = Record<string, SQLOutputValue>

export type ReadRows = (statement: StatementSync, values: readonly SQLInputValue[]) => Row[]

export const allRows: ReadRows = (statement, values) => statement.all(...values)

/** Most characters that one read takes from a statement. The first row is always taken. */
const MOST = 32 * 1024 * 1024

/** The rows of a statement. @throws Refusal 413 when they are more than a request may be answered with. */
export const boundedRows: ReadRows = (statement, values) => {
  const rows: Row[] = []
  let size = 0
  for (const row of statement.iterate(...values)) {
    for (const value of Object.values(row)) size += sizeOf(value)
    if (size > MOST && rows.length > 0) {
      throw new Refusal(
        413,
        `The answer is longer than ${MOST} characters: ask for less at once, with limit`,
        'Payload Too Large',
      )
    }
    rows.push(row)
  }
  return rows
}

const sizeOf = (value: SQLOutputValue): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
