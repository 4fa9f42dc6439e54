/**
 * Changes the source of a file. Source that reads otherwise than is known stays as it is.
 *
 * @param version of the package
 */
export type EditSource = (source: string, version?: string) => EditedSource

export interface EditedSource {
  readonly source: string
  /** What is not recorded, because the places were not found that had to be changed for it: `its calls`. */
  readonly missing: readonly string[]
}
