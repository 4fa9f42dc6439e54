export interface SourceFile {
  /** Relative to the folder of the app, with forward slashes. */
  readonly path: string
  readonly text: string
}
