/** A score that somebody waits for (`score.createAndWait`), and that the service does not have. Its message says why. */
export class SvcScoreError extends Error {
  override name = 'SvcScoreError'
}
