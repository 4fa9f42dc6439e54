import { foreignText } from '@svc/core/foreign-text'
import { Failure } from '../failure.ts'

/** A position in a file. Lines and columns start at 1. */
export interface FilePosition {
  readonly line: number
  readonly column: number
}

/** An error in a file, in the format that editors and terminals link: `prompts/guide.yaml:3:5: …`. */
export class Mistake extends Failure {
  constructor(file: string, { line, column }: FilePosition, message: string) {
    super(foreignText(`${file}:${line}:${column}: ${message}`, Number.POSITIVE_INFINITY))
  }
}
